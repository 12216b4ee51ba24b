// Settling disagreements by keyboard alone, and by plain links without script.
import { PASSWORD, ReconcilePage, SignInPage, StudyPages } from "../pages/study";
import { expect, test } from "../support/test";
import { traces } from "../support/traces";

// A study whose two raters came with the file and differ on the first tag.
function rated(): string {
  const lines = traces(2).trimEnd().split("\n").map((line) => JSON.parse(line));
  for (const [at, line] of lines.entries()) {
    line.ratings = [
      { rater: "r1", candidate: 0, validity: "valid", severity: 1, comment: "First <reading>" },
      { rater: "r2", candidate: 0, validity: "valid", severity: 5 - at, comment: "Second reading" },
      { rater: "r1", candidate: 1, validity: "valid", severity: 3 },
      { rater: "r2", candidate: 1, validity: "valid", severity: 3 },
    ];
  }
  return lines.map((line) => JSON.stringify(line)).join("\n") + "\n";
}

async function prepared(page: import("@playwright/test").Page, name: string): Promise<StudyPages> {
  await new SignInPage(page).signIn(name);
  const study = await StudyPages.create(page, `Study of ${name}`);
  await study.import("rated.jsonl", rated());
  await expect(page.getByText("8 ratings new")).toBeVisible();
  return study;
}

test("by keyboard: adopt, write, record and go on", async ({ page, server }) => {
  await server.run(["user", "add", "keys", "--role", "admin", "--password-stdin"], PASSWORD);
  const study = await prepared(page, "keys");
  const reconcile = new ReconcilePage(page);
  await reconcile.openFirst(study);
  await page.waitForLoadState("networkidle");
  await expect(page.getByText("First <reading>")).toBeVisible();

  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keys" })).toBeVisible();
  await page.keyboard.press("a");
  await page.keyboard.press("Escape");
  await expect(page.locator('[name="severity"]:checked')).toHaveCount(0);

  await page.keyboard.press("b");
  await expect(page.locator('[name="severity"]:checked')).toHaveValue("5");
  await expect(page.locator('[name="adopted_from"]')).toHaveValue("B");
  await expect(reconcile.outcome("Consensus")).toBeChecked();
  await page.keyboard.press("3");
  await expect(page.locator('[name="severity"]:checked')).toHaveValue("3");
  await expect(page.locator('[name="adopted_from"]')).toHaveValue("");

  const note = page.getByRole("textbox", { name: "Note", exact: true });
  await note.focus();
  await page.keyboard.type("abcmju 15?");
  await expect(note).toHaveValue("abcmju 15?");
  await expect(page.locator('[name="severity"]:checked')).toHaveValue("3");
  await page.keyboard.press("Control+Enter");
  await expect(page.getByText("The ruling is recorded. This is the next one.")).toBeVisible();
});

// Presses Tab until this field has the focus.
async function tabTo(page: import("@playwright/test").Page, name: string): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    const at = await page.evaluate(() => document.activeElement?.getAttribute("name"));
    if (at === name) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not reach ${name}`);
}

test("every outcome by keyboard alone, and each is kept as it was reached", async ({ page, server }) => {
  await server.run(["user", "add", "all-keys", "--role", "admin", "--password-stdin"], PASSWORD);
  await new SignInPage(page).signIn("all-keys");
  const study = await StudyPages.create(page, "All outcomes");
  const lines = traces(4).trimEnd().split("\n").map((line) => JSON.parse(line));
  for (const line of lines) {
    line.ratings = [1, 5].flatMap((severity) => {
      const rater = `keys-${severity}`;
      return [
        { rater, candidate: 0, validity: "valid", severity },
        { rater, candidate: 1, validity: "valid", severity: 3 },
      ];
    });
  }
  await study.import("rated.jsonl", lines.map((line) => JSON.stringify(line)).join("\n") + "\n");
  await expect(page.getByText("16 ratings new")).toBeVisible();
  await new ReconcilePage(page).openFirst(study);
  const record = async (said: string) => {
    await page.keyboard.press("Control+Enter");
    await expect(page.getByText(said)).toBeVisible();
    await page.waitForLoadState("networkidle");
  };
  const next = "The ruling is recorded. This is the next one.";
  await page.waitForLoadState("networkidle");

  await page.keyboard.press("b");
  await tabTo(page, "note");
  await page.keyboard.type("Both said so on the telephone.");
  await record(next);
  await page.keyboard.press("m");
  await record(next);
  await page.keyboard.press("j");
  await page.keyboard.press("2");
  await record(next);
  await page.keyboard.press("u");
  await page.keyboard.press("Control+Enter");
  await expect(page.getByRole("link", { name: "Say in the note why the disagreement stays." })).toBeVisible();
  await page.waitForLoadState("networkidle");
  await tabTo(page, "note");
  await page.keyboard.type("Two schools, two readings.");
  await record("The ruling is recorded. It was the last of the queue.");

  const ask = async (path: string) => (await page.request.get(`/api/v1${path}`)).json();
  const { rows } = await ask(`${study.address}/disagreements?state=ruled`);
  const ends = [];
  for (const { unit } of rows) {
    const { ruling } = await ask(`/units/${unit}`);
    ends.push([ruling.outcome, ruling.severity, ruling.agreed_by_raters, ruling.note]);
  }
  expect(ends.sort()).toEqual([
    ["adjudicator", 2, false, ""],
    ["averaged", 3, false, ""],
    ["consensus", 5, false, "Both said so on the telephone."],
    ["unresolved", null, false, "Two schools, two readings."],
  ]);
});

test.describe("without script", () => {
  test.use({ javaScriptEnabled: false });

  test("a value is adopted by its link and recorded by the button", async ({ page, server }) => {
    await server.run(["user", "add", "plain", "--role", "admin", "--password-stdin"], PASSWORD);
    const study = await prepared(page, "plain");
    await new ReconcilePage(page).openFirst(study);
    await page.getByRole("link", { name: "Adopt the value of rater A" }).click();
    await expect(page.locator('[name="severity"]:checked')).toHaveValue("1");
    await page.getByLabel("Both raters agreed to this").check();
    await new ReconcilePage(page).record();
    await expect(page.getByText("The ruling is recorded.")).toBeVisible();
    await page.getByRole("link", { name: "← Before" }).or(page.getByRole("link", { name: "All disagreements" })).first().click();
    await study.open("/disagreements?state=ruled");
    await page.getByRole("rowheader").getByRole("link").first().click();
    await expect(page.getByText("Value of rater A.")).toBeVisible();
    await expect(page.getByText("Both raters agreed.")).toBeVisible();
  });
});
