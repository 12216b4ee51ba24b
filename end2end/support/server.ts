// A release server on a database of its own.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";

const BINARY = process.env.CONSILIUM_BINARY ?? resolve("../target/release/consilium");

export class Server {
  private constructor(
    readonly url: string,
    readonly databaseUrl: string,
    private readonly dir: string,
    private readonly name: string,
    private process: ChildProcess,
  ) {}

  // `name` tells the log files of several servers apart; the demonstration comes with a study.
  static async start(name: string, command: "serve" | "demo" = "serve"): Promise<Server> {
    const dir = mkdtempSync(join(tmpdir(), "consilium-e2e-"));
    const databaseUrl = `sqlite://${join(dir, "consilium.db")}?mode=rwc`;
    const server = launch(command, databaseUrl, "127.0.0.1:0");
    const url = `http://${await address(server, name)}`;
    await ready(url);
    return new Server(url, databaseUrl, dir, name, server);
  }

  // As when the power fails.
  async kill(): Promise<void> {
    const ended = once(this.process, "exit");
    this.process.kill("SIGKILL");
    await ended;
  }

  // Serves the same database at the same address again.
  async restart(): Promise<void> {
    this.process = launch("serve", this.databaseUrl, new URL(this.url).host);
    await address(this.process, `${this.name}-again`);
    await ready(this.url);
  }

  // Runs a command of the same program on the same database and returns what it printed. A command that is
  // given nothing has no input to close: one that ends first would break the pipe.
  async run(args: string[], input?: string): Promise<string> {
    const command = spawn(BINARY, args, {
      env: { ...process.env, CONSILIUM_DATABASE_URL: this.databaseUrl },
      stdio: [input === undefined ? "ignore" : "pipe", "pipe", "inherit"],
    });
    command.stdin?.end(input);
    let output = "";
    command.stdout!.on("data", (bytes) => (output += bytes));
    const [code] = await once(command, "close");
    if (code !== 0) throw new Error(`consilium ${args.join(" ")}: exit code ${code}`);
    return output;
  }

  async stop(): Promise<void> {
    const ended = once(this.process, "exit");
    this.process.kill("SIGTERM");
    const [code] = await ended;
    rmSync(this.dir, { recursive: true });
    if (code !== 0) throw new Error(`the server ended with ${code}`);
  }
}

function launch(command: string, databaseUrl: string, listen: string): ChildProcess {
  return spawn(BINARY, [command, "--log-format", "json"], {
    env: { ...process.env, CONSILIUM_DATABASE_URL: databaseUrl, CONSILIUM_LISTEN: listen },
    stdio: ["ignore", "ignore", "pipe"],
  });
}

// The server chooses a free port and says which in its log.
function address(server: ChildProcess, name: string): Promise<string> {
  mkdirSync("test-results", { recursive: true });
  const log = createWriteStream(join("test-results", `server-${name}.log`));
  return new Promise((found, failed) => {
    server.on("error", failed);
    server.on("exit", (code) => failed(new Error(`the server ended with ${code}; see its log`)));
    createInterface({ input: server.stderr! }).on("line", (line) => {
      log.write(`${line}\n`);
      const said = /"message":"listening","address":"([^"]+)"/.exec(line);
      if (said) found(said[1]);
    });
  });
}

async function ready(url: string): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    if (answer?.ok) return;
    await pause(50);
  }
  throw new Error("the server does not become ready");
}
