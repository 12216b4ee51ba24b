// The whole apparatus at once: page, policy, embedded files, island.
import { expect, expectAccessible, test } from "../support/test";
import { transferOf } from "../support/transfer";

const offline = "Offline: changes wait until the network is back";

test("the start page is there and accessible", async ({ page }) => {
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expectAccessible(page);
});

test("an island comes alive and follows the network", async ({ page, context }) => {
  await page.goto("/", { waitUntil: "networkidle" });
  await expect(page.getByText(offline)).toBeHidden();
  await context.setOffline(true);
  await expect(page.getByText(offline)).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText(offline)).toBeHidden();
});

test("a first visit stays within the budget and asks nobody else", async ({ page, baseURL }) => {
  const { requests, bytes } = await transferOf(page, () =>
    page.goto("/", { waitUntil: "networkidle" }),
  );
  expect(requests.filter((url) => !url.startsWith(`${baseURL}/`))).toEqual([]);
  expect(requests.some((url) => url.endsWith(".wasm"))).toBe(true);
  expect(requests.length).toBeLessThanOrEqual(8);
  expect(bytes).toBeLessThan(200_000);
});

test("an unknown address says so", async ({ page, guard }) => {
  guard.expect(/status of 404/);
  await page.goto("/no/such/page");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expectAccessible(page);
});

test.describe("without script", () => {
  test.use({ javaScriptEnabled: false });

  test("the page can be read", async ({ page }) => {
    await page.goto("/");
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  });
});
