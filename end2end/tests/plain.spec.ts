// Without script: the desk is one plain form, and nothing of it needs more.
import type { Page } from "@playwright/test";
import { Desk } from "../pages/desk";
import { PASSWORD } from "../pages/study";
import { deskStudy, type DeskStudy } from "../support/study";
import { expect, expectAccessible, test } from "../support/test";

test.use({ javaScriptEnabled: false });

let study: DeskStudy;
let desk: Desk;

test.beforeEach(async ({ server, page, guard }) => {
  guard.expect(/was preloaded using link preload but not used/);
  study = await deskStudy(server);
  await study.raters[0].signIn(page);
  desk = new Desk(page);
  await page.goto(`/desk/${study.first}`);
  await page.getByRole("button", { name: "Begin" }).click();
});

async function press(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name, exact: true }).click();
}

async function judge(label: string, validity: string, severity: number): Promise<void> {
  await desk.validity(label, validity).check({ force: true });
  await desk.severity(label, severity).check({ force: true });
}

test("a whole annotation by plain forms", async ({ page }) => {
  await judge("1", "valid", 1);
  await judge("2", "valid_other_subcategory", 5);
  await desk.card("2").getByText("Fits better").click();
  await desk.better("2", "Unpredictability").check();
  await desk.card("2").locator("textarea").fill("He is not a group.");
  await press(page, "Save draft");
  await expect(desk.state).toHaveText(/^Saved /);
  await expect(desk.better("2", "Unpredictability")).toBeChecked();

  await desk.submit.click();
  await expect(page.getByRole("alert")).toContainText("Tag 3: say whether it is right");
  await expect(desk.severity("2", 5)).toBeChecked();
  await desk.errors.getByRole("link").first().click();
  await expect(page).toHaveURL(/#c3/);
  await desk.validity("3", "invalid").check({ force: true });

  const added = desk.card("new");
  await added.getByLabel("Words of the trace, copied exactly").fill("words that stand nowhere");
  await added.getByLabel("Category").selectOption({ label: "Abnormality" });
  await added.locator('input[name="m0.severity"][value="2"]').check({ force: true });
  await press(page, "Add this tag");
  await expect(page.getByText("The quoted words do not stand in the trace.")).toBeVisible();
  await desk.card("+1").getByLabel("Words of the trace, copied exactly").fill(study.unmarked);
  await press(page, "Save draft");
  await expect(desk.card("+1").locator("blockquote")).toHaveText(study.unmarked);
  expect(await desk.words("+1")).toBe(study.unmarked);

  await desk.submit.click();
  await expect(page).toHaveURL(new RegExp(`/desk/${study.second}$`));
  await page.goto(`/desk/${study.first}`);
  await expect(page.getByText("You submitted this item.")).toBeVisible();
  await expect(desk.severity("+1", 2)).toBeChecked();
  await press(page, "Open it again");
  await expect(desk.severity("1", 1)).toBeEnabled();
});

test("the ways out by plain forms", async ({ page }) => {
  await judge("1", "valid", 4);
  await desk.waysOut.click();
  await press(page, "Hand back");
  await expect(page).toHaveURL(new RegExp(`/desk/${study.second}$`));
  await desk.waysOut.click();
  await page.getByLabel("Why can this item not be rated?").selectOption("This does not belong in the study");
  await press(page, "It cannot be rated");
  await page.goto(`/desk/${study.first}`);
  await press(page, "Take it up again");
  await expect(desk.severity("1", 4)).toBeChecked();
});

// AppraiseDev/Appraise #39: entered while signed out, and lost.
test("fault row 8: a form sent while signed out is kept, and sent after signing in", async ({ page, guard }) => {
  guard.expect(/status of 401/);
  await judge("1", "valid", 4);
  await desk.card("1").locator("textarea").fill("<b>“kept”</b> & whole");
  await page.context().clearCookies();
  await press(page, "Save draft");
  await expect(page.getByRole("heading", { level: 1, name: "Sign in again" })).toBeVisible();
  expect(await page.locator("main").innerText()).not.toContain(study.trace.slice(0, 14));
  await page.getByLabel("Name").fill(study.raters[0].name);
  await page.getByLabel("Password").fill(PASSWORD);
  await press(page, "Sign in and send");
  await expect(desk.severity("1", 4)).toBeChecked();
  await expect(desk.card("1").locator("textarea")).toHaveValue("<b>“kept”</b> & whole");
});

// cloud-annotations #55: an old window overwrites newer work.
test("fault row 15: an older form is shown again with what was written, and replaces nothing", async ({ page, context, guard }) => {
  guard.expect(/status of 409/);
  const newer = new Desk(await context.newPage());
  await newer.page.goto(`/desk/${study.first}`);
  await press(newer.page, "Begin");
  await newer.severity("1", 1).check({ force: true });
  await press(newer.page, "Save draft");
  await judge("1", "valid", 5);
  await press(page, "Save draft");
  await expect(page.getByRole("alert")).toBeVisible();
  await expect(desk.severity("1", 5)).toBeChecked();
  await expect(page.getByRole("row", { name: /^Tag 1: severity/ }).getByRole("cell")).toHaveText(["5", "1"]);
  await newer.page.reload();
  await expect(newer.severity("1", 1)).toBeChecked();
});

// axe is a script itself: here the page's own scripts are empty instead of forbidden.
test.describe("with empty scripts", () => {
  test.use({ javaScriptEnabled: true });

  test.beforeEach(async ({ page, guard }) => {
    guard.expect(/status of 401|Could not find WASM function/);
    const body = "export default async () => {}; export const hydrate = () => {};";
    await page.route("**/*.js", (route) => route.fulfill({ contentType: "text/javascript", body }));
    await page.goto(`/desk/${study.first}`);
  });

  test("what the plain form answers is accessible", async ({ page }) => {
    await expectAccessible(page);
    await page.getByRole("button", { name: "Begin" }).click();
    await desk.submit.click();
    await expect(page.getByRole("alert")).toContainText("Tag 1: say whether it is right");
    await expectAccessible(page);
    await page.context().clearCookies();
    await desk.submit.click();
    await expect(page.getByRole("heading", { level: 1, name: "Sign in again" })).toBeVisible();
    await expectAccessible(page);
  });
});
