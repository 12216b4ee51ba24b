// Every page with something on it, as each role of the demonstration study sees it.
import type { Page } from "@playwright/test";
import { signIn } from "../support/study";
import { demoTest as test, expect, expectAccessible } from "../support/test";

const PASSWORD = "look around freely";

async function studyOf(page: Page): Promise<string> {
  const [study] = await (await page.request.get("/api/v1/studies")).json();
  return `/studies/${study.id}`;
}

async function visit(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expectAccessible(page);
}

for (const part of [
  "", "/scheme", "/import", "/batches", "/members", "/settings", "/export", "/items", "/audit",
  "/sign-off", "/disagreements", "/disagreements?state=all", "/agreement?facet=category",
  "/agreement?question=validity&facet=condition",
]) {
  test(`the study's page "${part}" is accessible`, async ({ page, server }) => {
    await signIn(page, server.url, "coordinator", PASSWORD);
    await visit(page, (await studyOf(page)) + part);
  });
}

test("a batch, an item and a disagreement are accessible", async ({ page, server }) => {
  await signIn(page, server.url, "coordinator", PASSWORD);
  const study = await studyOf(page);
  for (const list of ["batches", "items", "disagreements"]) {
    await page.goto(`${study}/${list}`);
    const link = page.locator(`main a[href*="/${list}/"]`).first();
    await visit(page, (await link.getAttribute("href"))!);
  }
});

test("an administrator's pages are accessible", async ({ page, server }) => {
  await signIn(page, server.url, "admin", PASSWORD);
  for (const address of ["/", "/people", "/account", "/studies/new"]) await visit(page, address);
});

test("a rater comes from their work to an accessible desk", async ({ page, server }) => {
  await signIn(page, server.url, "dr_lind", PASSWORD);
  await visit(page, "/work");
  await page.locator('main a[href^="/desk/"]').first().click();
  await expect(page.locator("#desk.live")).toBeAttached();
  const begin = page.getByRole("button", { name: "Begin" });
  if (await begin.isVisible()) {
    await expectAccessible(page);
    await begin.click();
  }
  await expectAccessible(page);
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keys" })).toBeVisible();
  await expectAccessible(page);
});

test("a rater is told which pages are not theirs", async ({ page, server, guard }) => {
  guard.expect(/status of 40[34]/);
  await signIn(page, server.url, "dr_lind", PASSWORD);
  const study = await studyOf(page);
  for (const [address, title] of [
    [`${study}/members`, "This is not yours to see"],
    ["/people", "This is not yours to see"],
    [`${study}/no-such-page`, "There is nothing here"],
    ["/studies/no-such-study", "There is nothing here"],
    ["/desk/no-such-item", "There is nothing here"],
  ]) {
    await page.goto(address);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
    await expectAccessible(page);
  }
});

for (const [place, zone] of [["Asia/Kathmandu", "GMT+5:45"], ["America/New_York", /E[SD]T/]] as const) {
  test.describe(`in ${place}`, () => {
    test.use({ timezoneId: place });

    // OpenFn/lightning #3620, PostHog/posthog #13797: a time without its zone, or under another's name.
    test("fault row 66: times are shown in the reader's zone, named, and leave as UTC", async ({ page, server }) => {
      await signIn(page, server.url, "coordinator", PASSWORD);
      const study = await studyOf(page);
      await page.goto(`${study}/audit`);
      const time = page.locator("main time").first();
      await expect(time).toContainText(zone);
      await expect(time).toHaveAttribute("datetime", /Z$/);
      const rows = await page.request.get(`${study}/export/ratings_long.csv`);
      expect(await rows.text()).toMatch(/,\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/);
    });
  });
}
