// The main job, end to end: from an empty study to labels that leave as CSV.
import type { Page } from "@playwright/test";
import { InvitationPage, PASSWORD, ReconcilePage, SignInPage, StudyPages } from "../pages/study";
import { expect, expectAccessible, test } from "../support/test";
import { broken, traces } from "../support/traces";

// Judges both tags of every item that waits, by keyboard.
async function judgeAll(page: Page, severities: [number, number], items: number): Promise<void> {
  await page.goto("/");
  await page.getByRole("link", { name: "Begin" }).click();
  for (let item = 0; item < items; item += 1) {
    const here = page.url();
    await expect(page.locator("#desk.live")).toBeAttached();
    const begin = page.getByRole("button", { name: "Begin" });
    if (await begin.isVisible()) await begin.click();
    for (const [tag, severity] of severities.entries()) {
      if (tag > 0) await page.keyboard.press("j");
      await page.keyboard.press("v");
      await page.keyboard.press(String(severity));
    }
    await page.keyboard.press("n");
    await expect(page.locator("#to-go")).toHaveText("Ready to submit");
    await page.keyboard.press("Control+Enter");
    await page.waitForURL((url) => url.href !== here);
  }
}

test("a study from its first to its last page", async ({ page, server, anotherPerson }) => {
  test.setTimeout(180_000);
  await server.run(["user", "add", "chain-admin", "--role", "admin", "--password-stdin"], PASSWORD);
  await new SignInPage(page).signIn("chain-admin");
  const study = await StudyPages.create(page, "Chain study");
  await expect(page.getByRole("heading", { name: "Import judged traces" })).toBeVisible();

  await test.step("a broken file is refused as a whole, with every problem in its place", async () => {
    await study.import("broken.jsonl", broken());
    await expect(page.getByRole("heading", { name: /3 problems\. Nothing was written/ })).toBeVisible();
    for (const line of [2, 3, 4]) {
      await expect(page.getByRole("rowheader", { name: new RegExp(`^${line}(:|$)`) })).toBeVisible();
    }
    await expectAccessible(page);
  });

  await test.step("a good file is taken once", async () => {
    await study.import("traces.jsonl", traces(3), true);
    await expect(page.getByText("3 items, 6 tags and 0 ratings would be new")).toBeVisible();
    await study.import("traces.jsonl", traces(3));
    await expect(page.getByText("3 items, 6 tags and 0 ratings new")).toBeVisible();
    await study.import("traces.jsonl", traces(3));
    await expect(page.getByRole("heading", { name: /holds nothing new/ })).toBeVisible();
  });

  const raters: Page[] = [];
  await test.step("two raters accept a link that works once", async () => {
    for (const name of ["chain-a", "chain-b"]) {
      const link = await study.invite(`Dr ${name}`);
      const person = await anotherPerson();
      await new InvitationPage(person).accept(link, name);
      raters.push(person);
      await study.open("/members");
      await expect(page.getByLabel("Copy it now")).toBeHidden();
    }
  });

  await study.draw("First batch", 3);

  await test.step("raters judge apart, and staff see counts only until both are in", async () => {
    await judgeAll(raters[0], [2, 2], 3);
    await expect(raters[0].getByText("Done. Thank you.")).toBeVisible();
    await study.open("/agreement");
    await expect(page.getByRole("heading", { name: "No tag has been judged by two raters yet" })).toBeVisible();
    await study.open("/disagreements");
    await expect(page.getByText("Nothing here")).toBeVisible();
    await judgeAll(raters[1], [5, 2], 3);
  });

  await test.step("agreement says how far they agree", async () => {
    await study.open("/agreement?facet=category");
    await expect(page.getByText("6 of 6 tags compared")).toBeVisible();
    await expect(page.getByRole("row", { name: /^Exact agreement/ })).toContainText("50 %");
    await expectAccessible(page);
  });

  await test.step("a disagreement is settled and the next one comes", async () => {
    const reconcile = new ReconcilePage(page);
    await reconcile.openFirst(study);
    await expectAccessible(page);
    await reconcile.record();
    await expect(page.getByRole("alert")).toContainText("Choose an outcome");
    await reconcile.outcome("Averaged: 3.5").check({ force: true });
    await page.getByLabel("Note").fill("Both readings have their reasons.");
    await reconcile.record();
    await expect(page.getByText("The ruling is recorded. This is the next one.")).toBeVisible();
    await reconcile.outcome("Unresolved").check({ force: true });
    await reconcile.record();
    await expect(page.getByRole("alert")).toContainText("Say in the note why");
    await expect(reconcile.outcome("Unresolved")).toBeChecked();
    await page.getByLabel("Note").fill("Two schools.");
    await reconcile.record();
    await expect(page.getByText("The ruling is recorded.")).toBeVisible();
  });

  await test.step("labels leave with how each was reached", async () => {
    await study.open("/export");
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "labels.csv" }).click();
    const stream = await (await download).createReadStream();
    const text = (await stream.toArray()).join("");
    expect(text.trimEnd().split(/\r?\n/)).toHaveLength(7);
    expect(text).toContain("averaged");
    expect(text).toContain("Both readings have their reasons.");
  });

  await study.open("/audit");
  await expect(page.getByText(/The chain is whole/)).toBeVisible();
});
