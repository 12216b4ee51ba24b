// The judging desk as a rater uses it.
import { Desk } from "../pages/desk";
import { deskStudy, KINDS, type DeskStudy } from "../support/study";
import { expect, expectAccessible, test } from "../support/test";

test.describe("on an item of three tags", () => {
  let study: DeskStudy;
  let desk: Desk;

  test.beforeEach(async ({ server, page }) => {
    study = await deskStudy(server);
    await study.raters[0].signIn(page);
    desk = new Desk(page);
    await desk.open(study.first);
  });

  test("a whole item by keyboard alone", async ({ page }) => {
    await page.keyboard.press("?");
    await expect(desk.help).toBeVisible();
    await page.keyboard.press("v");
    await page.keyboard.press("Escape");
    await expect(desk.help).toBeHidden();
    await expect(desk.toGo).toHaveText("3 tags and 1 question to go");

    await page.keyboard.press("v");
    await page.keyboard.press("1");
    await expect(desk.head("1")).toHaveText("Valid · 1");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("o");
    await page.keyboard.press("5");
    await expect(desk.head("2")).toHaveText("Valid, other subcategory · 5");
    await desk.better("2", "Unpredictability").focus();
    await page.keyboard.press("Space");
    await page.keyboard.press("ArrowDown");
    await expect(desk.card("3")).toHaveAttribute("aria-current", "true");
    await page.keyboard.press("x");
    await expect(desk.head("3")).toHaveText("Invalid");
    await page.keyboard.press("ArrowUp");
    await expect(desk.card("2")).toHaveAttribute("aria-current", "true");
    await page.keyboard.press("c");
    await page.keyboard.type("He is not a group.");
    await page.keyboard.press("Escape");

    await desk.selectWords("He wants a quiet home");
    await page.keyboard.press("Enter");
    await desk.adder.getByRole("combobox").selectOption({ label: "Abnormality" });
    await desk.adder.getByRole("combobox").press("Enter");
    await expect(desk.card("+1").locator("blockquote")).toHaveText("He wants a quiet home");
    await page.keyboard.press("2");
    await expect(desk.toGo).toHaveText("Ready to submit");
    await page.keyboard.press("Control+Enter");

    await expect(page).toHaveURL(new RegExp(`/desk/${study.second}$`));
    await desk.alive();
    await page.goto(`/desk/${study.first}`);
    await expect(page.getByText("You submitted this item.")).toBeVisible();
    for (const [label, value] of [["1", 1], ["2", 5], ["+1", 2]] as const) {
      await expect(desk.severity(label, value)).toBeChecked();
    }
    await expect(desk.better("2", "Unpredictability")).toBeChecked();
    await expect(desk.card("2").locator("textarea")).toHaveValue("He is not a group.");
  });

  // TIM-JYU/TIM PR #3749, label-studio #1957: keys collide with typing and with word-wise moving.
  test("fault row 66: keys are silent in text fields, lists and composition", async ({ page }) => {
    await desk.judge("1", "v", 3);
    await page.keyboard.press("c");
    await page.keyboard.type("1 5 a n ?");
    await page.keyboard.press("Control+ArrowLeft");
    const comment = desk.card("1").locator("textarea");
    await expect(comment).toHaveValue("1 5 a n ?");
    const typist = await page.context().newCDPSession(page);
    await typist.send("Input.imeSetComposition", { text: "x", selectionStart: 1, selectionEnd: 1 });
    await typist.send("Input.insertText", { text: "ü" });
    await expect(comment).toHaveValue("1 5 a n ü?");
    await expect(desk.severity("1", 3)).toBeChecked();
    await expect(desk.validity("1", "valid")).toBeChecked();
    await expect(desk.nothingMissed).not.toBeChecked();
    await expect(desk.help).toBeHidden();
    await page.keyboard.press("Escape");
    await page.keyboard.press("n");
    await expect(desk.nothingMissed).toBeChecked();
  });

  test("single keys can be switched off, for good", async ({ page }) => {
    await page.keyboard.press("?");
    await desk.help.getByRole("checkbox").uncheck();
    await page.keyboard.press("Escape");
    await page.keyboard.press("v");
    await page.reload();
    await desk.alive();
    await page.keyboard.press("v");
    await expect(desk.head("1")).toHaveText("not judged");
  });

  test("an incomplete submission says what is missing and goes there", async ({ page }) => {
    await desk.judge("1", "v", 3);
    await page.keyboard.press("Control+Enter");
    await expect(desk.errors).toContainText("Tag 2: say whether it is right");
    await expect(desk.card("2")).toHaveAttribute("aria-current", "true");
    await expect(desk.card("2").locator(":focus")).toBeAttached();
    await expectAccessible(page);
    await desk.errors.getByRole("link").last().click();
    await expect(desk.nothingMissed).toBeFocused();
  });

  test("undo takes the last change back, and what is shown is what is saved", async ({ page }) => {
    await desk.judge("1", "v", 3);
    await page.keyboard.press("5");
    await page.keyboard.press("Control+z");
    await expect(desk.severity("1", 3)).toBeChecked();
    await page.keyboard.press("5");
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(desk.severity("1", 3)).toBeChecked();
    await desk.saved();
    await page.reload();
    await desk.alive();
    await expect(desk.severity("1", 3)).toBeChecked();
  });

  // ufal/factgenie #186, #187: clicking again stacks the same span; drags that leave the box are lost.
  test("fault row 68: a missed tag is added once, however the words are selected", async ({ page }) => {
    const text = await desk.text();
    await desk.drag(study.unmarked, { backwards: true });
    await desk.choose("Abnormality");
    await expect(desk.card("+1").locator("blockquote")).toHaveText(study.unmarked);
    await desk.saved();
    await desk.drag(study.unmarked);
    await desk.choose("Abnormality");
    await expect(desk.said).toContainText("already");
    await expect(desk.card("+2")).toHaveCount(0);
    await desk.drag("pays his rent", { beyond: true });
    await expect(desk.adder.locator("blockquote")).toHaveText(/^pays his rent/);
    await desk.choose("Dependency");
    await expect(desk.card("+2")).toBeVisible();
    expect(await desk.text()).toBe(text);
    await desk.card("+2").getByRole("button", { name: "Remove" }).click();
    await expect(desk.card("+2")).toHaveCount(0);
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(desk.card("+2").locator("blockquote")).toHaveText(/^pays his rent/);
  });

  // label-studio #1347: an emoji before the words shifts every offset behind it.
  test("fault row 36: offsets are code points behind an emoji", async ({ page }) => {
    await desk.drag("Still");
    await desk.choose("Abnormality");
    await desk.saved();
    const answer = await page.request.get(`/api/v1/assignments/${study.first}/annotation`);
    const { annotation } = await answer.json();
    expect(annotation.missed[0].quote).toBe("Still");
    expect(annotation.missed[0].span).toEqual([17, 22]);
    expect([...study.trace].slice(17, 22).join("")).toBe("Still");
  });

  // argilla #2896: skipping threw partial answers away.
  test("fault row 18: handing back keeps the draft", async ({ page }) => {
    await desk.judge("1", "v", 3);
    await desk.saved();
    await desk.waysOut.click();
    await page.getByRole("button", { name: "Hand back" }).click();
    await expect(page).toHaveURL(new RegExp(`/desk/${study.second}$`));
    await page.goto("/work");
    await expectAccessible(page);
    await page.goto(`/desk/${study.first}`);
    await expectAccessible(page);
    await page.getByRole("button", { name: "Take it up again" }).click();
    await desk.alive();
    await expect(desk.severity("1", 3)).toBeChecked();
  });

  // inception #3809: what a rater flags as problematic never reaches whoever decides.
  test("fault row 73: what cannot be rated is reported with a reason", async ({ page, guard }) => {
    guard.expect(/status of 422/);
    await desk.judge("1", "v", 3);
    await desk.waysOut.click();
    const reason = page.getByLabel("Why can this item not be rated?");
    await reason.selectOption("Another reason");
    await page.getByRole("button", { name: "It cannot be rated" }).click();
    await expect(page.getByRole("alert")).toHaveText("Say in the note why this item cannot be rated.");
    await desk.alive();
    await expect(reason).toHaveValue("other");
    await expect(desk.severity("1", 3)).toBeChecked();
    await expectAccessible(page);
    await page.getByLabel("More about it, for the coordinator").fill("Two cases in one text.");
    await page.getByRole("button", { name: "It cannot be rated" }).click();
    await expect(page).toHaveURL(new RegExp(`/desk/${study.second}$`));
    await page.goto(`/desk/${study.first}`);
    await expect(page.getByText("You said that this item cannot be rated.")).toBeVisible();
  });

  test("an own submission is opened again and submitted anew", async ({ page }) => {
    await desk.judgeAll(study.labels, 3);
    await page.keyboard.press("Control+Enter");
    await expect(page).toHaveURL(new RegExp(`/desk/${study.second}$`));
    await page.goto(`/desk/${study.first}`);
    await expect(desk.severity("1", 3)).toBeDisabled();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Open it again" }).click();
    await desk.alive();
    await desk.judge("1", "v", 5);
    await desk.saved();
    await page.keyboard.press("Control+Enter");
    await expect(page).toHaveURL(new RegExp(`/desk/${study.second}$`));
    await page.goto(`/desk/${study.first}`);
    await expect(desk.severity("1", 5)).toBeChecked();
  });
});

test.describe("on tags that overlap, nest, coincide and are cut", () => {
  let study: DeskStudy;
  let desk: Desk;

  test.beforeEach(async ({ server, page }) => {
    study = await deskStudy(server, { candidates: KINDS });
    await study.raters[0].signIn(page);
    desk = new Desk(page);
    await desk.open(study.first);
  });

  // label-studio #4843: markup in the text, and offsets into what a browser made of it.
  test("fault row 42: the text on the screen is the text of the file", async ({ page }) => {
    expect(await desk.text()).toBe(study.trace);
    await desk.drag("says so");
    await desk.choose("Abnormality");
    await expect(desk.card("+1").locator("blockquote")).toHaveText("says so");
    expect(await desk.text()).toBe(study.trace);
    await desk.saved();
    await page.reload();
    await desk.alive();
    await expect(desk.card("+1").locator("blockquote")).toHaveText("says so");
    expect(await desk.words("+1")).toBe("says so");
    await expectAccessible(page);
  });

  // label-studio-frontend PR #108: of three tags on the same words only two could be reached.
  test("fault row 49: every tag on the same words is reached, by mouse and keyboard", async ({ page }) => {
    for (const label of ["1", "2", "3"]) {
      await desk.clickWords("may snap");
      const entries = desk.chooser.getByRole("button");
      await expect(entries).toHaveCount(3);
      await entries.filter({ hasText: new RegExp(`^${label} `) }).click();
      await expect(desk.card(label)).toHaveAttribute("aria-current", "true");
    }
    await desk.selectWords("snap");
    await page.keyboard.press("Enter");
    await expect(desk.chooser.getByRole("button").first()).toBeFocused();
    await expectAccessible(page);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect(desk.card("2")).toHaveAttribute("aria-current", "true");
    await expect(desk.card("2").locator("summary").first()).toBeFocused();
  });

  // nlplab/brat #1162: a span over a line end breaks.
  test("fault row 44: a tag runs over a line end and lights up whole", async ({ page }) => {
    expect(await desk.words("4")).toBe("at any moment, so keep your distance.\nNothing <b>here");
    await desk.goTo("4");
    const lit = desk.trace.locator("mark.now");
    expect((await lit.allTextContents()).join("")).toBe("at any moment, so keep your distance.\nNothing <b>here");
    await expect(lit.first()).toBeInViewport();
    await page.keyboard.press("ArrowDown");
    expect(await lit.allTextContents()).toEqual(["the neighbours", "he is a danger"]);
  });

  test("a judge's words that are not in the trace are shown as such", async () => {
    await desk.goTo("6");
    await expect(desk.card("6")).toContainText("Not found in the trace");
    await expect(desk.card("6").locator("blockquote")).toHaveText("words that stand nowhere");
    expect(await desk.words("6")).toBe("");
  });

  test("pointing at words lights their cards", async () => {
    await desk.hoverWords("distance");
    await expect(desk.card("4")).toHaveClass(/lit/);
    await expect(desk.card("1")).not.toHaveClass(/lit/);
  });
});
