// What must not happen on any page of any test: console errors, failed scripts, policy violations.
import type { BrowserContext } from "@playwright/test";

export class Guard {
  private readonly seen: string[] = [];
  private readonly expected: RegExp[] = [];

  // Call it for every context; the one of the `page` fixture is watched already.
  async watch(context: BrowserContext): Promise<void> {
    await context.addInitScript(() => {
      document.addEventListener("securitypolicyviolation", (violation) => {
        console.error(`policy violation: ${violation.violatedDirective} ${violation.blockedURI}`);
      });
    });
    context.on("weberror", (error) => this.seen.push(`uncaught: ${error.error().message}`));
    context.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) {
        this.seen.push(`${message.type()}: ${message.text()}`);
      }
    });
  }

  // For a test that provokes a message, such as the browser's own about a lost network.
  expect(message: RegExp): void {
    this.expected.push(message);
  }

  unexpected(): string[] {
    return this.seen.filter((message) => !this.expected.some((known) => known.test(message)));
  }
}
