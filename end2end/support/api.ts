// The JSON API as a coordinator's script uses it: what a test needs before its first click.
import { PASSWORD } from "../pages/study";
import type { Server } from "./server";

export class Api {
  private constructor(
    private readonly server: Server,
    private readonly token: string,
  ) {}

  // Speaks for an administrator of its own.
  static async of(server: Server): Promise<Api> {
    const name = person("staff");
    await server.run(["user", "add", name, "--role", "admin", "--password-stdin"], PASSWORD);
    const said = await server.run(["token", "create", name]);
    return new Api(server, said.trim().split("\n").at(-1)!);
  }

  async get<Answer>(path: string): Promise<Answer> {
    return this.ask("GET", path);
  }

  async post<Answer>(path: string, body: object | string): Promise<Answer> {
    return this.ask("POST", path, body);
  }

  private async ask<Answer>(method: string, path: string, body?: object | string): Promise<Answer> {
    const answer = await fetch(`${this.server.url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${this.token}`, "content-type": "application/json" },
      body: typeof body === "object" ? JSON.stringify(body) : body,
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json() as Promise<Answer>;
  }
}

let people = 0;

// A name that nobody else has on this worker's server.
export function person(what: string): string {
  people += 1;
  return `${what}-${people}`;
}
