// `test` for every file of tests: a server per worker, a guard per test, and people to act.
import AxeBuilder from "@axe-core/playwright";
import { expect, test as base, type Page } from "@playwright/test";
import { Guard } from "./guard";
import { Server } from "./server";

interface PerTest {
  guard: Guard;
  // A page in a browser context of its own: another person at another computer.
  anotherPerson: () => Promise<Page>;
}

interface PerWorker {
  server: Server;
}

export const test = base.extend<PerTest, PerWorker>({
  server: [
    async ({}, use, worker) => {
      const server = await Server.start(`${worker.workerIndex}`);
      await use(server);
      await server.stop();
    },
    { scope: "worker" },
  ],
  baseURL: async ({ server }, use) => use(server.url),
  guard: [
    async ({ context }, use) => {
      const guard = new Guard();
      await guard.watch(context);
      await use(guard);
      expect(guard.unexpected(), "messages in the browser's console").toEqual([]);
    },
    { auto: true },
  ],
  anotherPerson: async ({ browser, baseURL, viewport, guard }, use) => {
    const contexts: Awaited<ReturnType<typeof browser.newContext>>[] = [];
    await use(async () => {
      const context = await browser.newContext({ baseURL, viewport });
      contexts.push(context);
      await guard.watch(context);
      return context.newPage();
    });
    await Promise.all(contexts.map((context) => context.close()));
  },
});

// WCAG 2.2 AA as far as a program can tell; contrast, which alone depends on it, light and dark.
export async function expectAccessible(page: Page): Promise<void> {
  await expect(page.locator("iframe")).toHaveCount(0);
  const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
  expect(await found(new AxeBuilder({ page }).withTags(tags)), "what axe found").toEqual([]);
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await found(new AxeBuilder({ page }).withRules(["color-contrast"])), "in the dark").toEqual([]);
  await page.emulateMedia({ colorScheme: null });
}

async function found(axe: AxeBuilder): Promise<string[]> {
  // No page of ours has a frame: axe need not open an empty page for each to put the parts together.
  const { violations } = await axe.setLegacyMode().analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ")}`);
}

// The demonstration study: every page with something on it.
export const demoTest = test.extend<object, PerWorker>({
  server: [
    async ({}, use, worker) => {
      const server = await Server.start(`demo-${worker.workerIndex}`, "demo");
      await use(server);
      await server.stop();
    },
    { scope: "worker" },
  ],
});

export { expect };
