// The main job, end to end: from an empty study to labels that leave as CSV.
import type { Page } from "@playwright/test";
import { InvitationPage, PASSWORD, ReconcilePage, SignInPage, StudyPages } from "../pages/study";
import { expect, expectAccessible, test } from "../support/test";
import { broken, traces } from "../support/traces";

const ITEMS = 4;
// What only one rater wrote: it must reach nobody before both are in.
const MARKER = "reads as fear of the unknown";

// Judges both tags of every item that waits, by keyboard, with a comment on the first.
async function judgeAll(page: Page, severities: [number, number], comment: string): Promise<void> {
  await page.goto("/");
  await expect(page.getByText(`${ITEMS} need you`)).toBeVisible();
  await page.getByRole("link", { name: "Begin" }).click();
  for (let item = 0; item < ITEMS; item += 1) {
    const here = page.url();
    await expect(page.locator("#desk.live")).toBeAttached();
    const begin = page.getByRole("button", { name: "Begin" });
    if (await begin.isVisible()) await begin.click();
    for (const [tag, severity] of severities.entries()) {
      if (tag > 0) await page.keyboard.press("j");
      await page.keyboard.press("v");
      await page.keyboard.press(String(severity));
      if (tag > 0) continue;
      await page.keyboard.press("c");
      await page.keyboard.type(comment);
      await page.keyboard.press("Escape");
    }
    await page.keyboard.press("n");
    await expect(page.locator("#to-go")).toHaveText("Ready to submit");
    await page.keyboard.press("Control+Enter");
    await page.waitForURL((url) => url.href !== here);
  }
}

// Everything that the server says to a page, as text.
function heard(page: Page): Promise<string>[] {
  const bodies: Promise<string>[] = [];
  page.on("response", (response) => bodies.push(response.text().catch(() => "")));
  return bodies;
}

test("a study from its first to its last page", async ({ page, server, anotherPerson }) => {
  test.setTimeout(480_000);
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
    await study.import("traces.jsonl", traces(ITEMS), true);
    await expect(page.getByText("4 items, 8 tags and 0 ratings would be new")).toBeVisible();
    await study.import("traces.jsonl", traces(ITEMS));
    await expect(page.getByText("4 items, 8 tags and 0 ratings new")).toBeVisible();
    await study.import("traces.jsonl", traces(ITEMS));
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

  await study.draw("First batch", ITEMS);

  // Fault rows 58 and 59 (label-studio #6233, #5172): each rater has a queue of their own, and hears nothing
  // of the other's answers.
  await test.step("raters judge apart, and staff see counts only until both are in", async () => {
    await judgeAll(raters[0], [2, 2], MARKER);
    await expect(raters[0].getByText("Done. Thank you.")).toBeVisible();
    await study.open("/agreement");
    await expect(page.getByRole("heading", { name: "No tag has been judged by two raters yet" })).toBeVisible();
    await study.open("/disagreements");
    await expect(page.getByText("Nothing here")).toBeVisible();
    const said = [heard(page), heard(raters[1])];
    for (const below of ["", "/items", "/batches", "/disagreements?state=all", "/audit"]) await study.open(below);
    await judgeAll(raters[1], [5, 2], "");
    await expect(raters[1].getByText("Done. Thank you.")).toBeVisible();
    const words = (await Promise.all(said.flat())).join("");
    expect(words).toContain("may snap at any moment");
    expect(words).not.toContain(MARKER);
  });

  await test.step("agreement says how far they agree", async () => {
    await study.open("/agreement?facet=category");
    await expect(page.getByText("8 of 8 tags compared")).toBeVisible();
    await expect(page.getByRole("row", { name: /^Exact agreement \d/ })).toContainText("50 %");
    await expectAccessible(page);
  });

  await test.step("a disagreement is settled in each of four ways, and the next one comes", async () => {
    const reconcile = new ReconcilePage(page);
    const recorded = page.getByText("The ruling is recorded. This is the next one.");
    await reconcile.openFirst(study);
    await expect(page.getByText(MARKER)).toBeVisible();
    await expectAccessible(page);
    await reconcile.record();
    await expect(page.getByRole("alert")).toContainText("Choose an outcome");
    await reconcile.settle("Averaged: 3.5", "Both readings have their reasons.");
    await expect(recorded).toBeVisible();

    await reconcile.outcome("Unresolved").check({ force: true });
    await reconcile.record();
    await expect(page.getByRole("alert")).toContainText("Say in the note why");
    await expect(reconcile.outcome("Unresolved")).toBeChecked();
    await page.getByRole("textbox", { name: "Note", exact: true }).fill("Two schools.");
    await reconcile.record();
    await expect(recorded).toBeVisible();

    await reconcile.finalSeverity(4).check({ force: true });
    await page.getByText("Cause, confidence, another category").click();
    await page.getByLabel("Why they differed").selectOption({ index: 1 });
    await reconcile.settle("Adjudicator", "Decided on the wording.");
    await expect(recorded).toBeVisible();

    await page.getByRole("link", { name: "Adopt the value of rater B" }).click();
    await page.getByLabel("Both raters agreed to this").check();
    await reconcile.settle("Consensus", "");
    await expect(page.getByText("The ruling is recorded.")).toBeVisible();
    await study.open("/disagreements");
    await expect(page.getByText("Nothing here")).toBeVisible();
    await expectAccessible(page);
  });

  await test.step("labels leave with how each was reached", async () => {
    await study.open("/export");
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "labels.csv" }).click();
    const stream = await (await download).createReadStream();
    const text = (await stream.toArray()).join("");
    expect(text.trimEnd().split(/\r?\n/)).toHaveLength(2 * ITEMS + 1);
    for (const word of ["averaged", "unresolved", "adjudicator", "consensus"]) expect(text).toContain(word);
    expect(text).toContain("Both readings have their reasons.");
    expect(text).toContain(MARKER);
  });

  await study.open("/audit");
  await expect(page.getByText(/The chain is whole/)).toBeVisible();
});
