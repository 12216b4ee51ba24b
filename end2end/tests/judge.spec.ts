// How good the judge is, and what it finds: the pages for it, and an item judged before its tags are shown.
import { Desk } from "../pages/desk";
import { deskStudy, signIn } from "../support/study";
import { demoTest, expect, expectAccessible, test } from "../support/test";

demoTest("validation, corpus, plan and report of the demonstration", async ({ page, server }) => {
  await signIn(page, server.url, "coordinator", "look around freely");
  const [{ id }] = await (await page.request.get("/api/v1/studies")).json();
  const visit = async (below: string, heading: string | RegExp) => {
    await page.goto(`/studies/${id}/${below}`);
    await expect(page.getByRole("heading", { level: 1, name: heading })).toBeVisible();
    await expectAccessible(page);
  };

  await visit("judge", "Judge");
  await expect(page.getByRole("table", { name: /How near two humans come/ })).toBeVisible();
  await visit("judge?against=A&few_shot=yes", "Judge");
  await expect(page.getByText(/items compared with/)).toBeVisible();

  await visit("corpus", "Corpus");
  await expect(page.getByText(/items judged by/)).toBeVisible();
  await page.getByLabel("Stigma from").selectOption("strict");
  await page.getByRole("button", { name: "Show" }).click();
  await expect(page).toHaveURL(/threshold=strict/);
  await expectAccessible(page);

  await visit("plan", /./);

  await visit("report", /^Report on /);
  await expect(page.getByText(/do not establish that any model is clinically valid/).first()).toBeVisible();
  for (const name of ["Methods", "Results", "Samples and raters"]) {
    await expect(page.getByRole("heading", { name, exact: true })).toBeVisible();
  }
});

demoTest("another judge's runs are brought and compared on the same items", async ({ page, server }) => {
  await signIn(page, server.url, "coordinator", "look around freely");
  const [{ id }] = await (await page.request.get("/api/v1/studies")).json();
  await page.goto(`/studies/${id}/judge`);
  await page.getByText("Bring the runs of a further judge").click();
  await page.getByLabel("What this judge is called").fill("second judge");
  const form = page.locator("form").filter({ has: page.getByLabel("What this judge is called") });
  await form.locator("input[type=file]").setInputFiles("../server/demo/traces.jsonl");
  await form.getByRole("button").click();
  await expect(page.getByRole("heading", { name: /traces.jsonl/ })).toBeVisible();
  await page.goto(`/studies/${id}/judge`);
  await page.getByLabel("Compare with").selectOption({ label: "second judge" });
  await page.getByRole("button", { name: "Compare" }).click();
  await expect(page.getByText(/McNemar, exact/)).toBeVisible();
  await expectAccessible(page);
});

test("an item is judged before and after the judge is shown, by keyboard", async ({ page, server }) => {
  const study = await deskStudy(server, { hidden: 99 });
  await study.raters[0].signIn(page);
  const desk = new Desk(page);
  await desk.open(study.first);

  await expect(page.getByText("On this item you judge first.")).toBeVisible();
  await expect(desk.card("1")).toHaveCount(0);
  await expect(desk.trace.locator("mark")).toHaveCount(0);
  await expectAccessible(page);
  await page.keyboard.press("Control+Enter");
  await expect(desk.errors).toBeVisible();

  await desk.selectWords("snap at any moment");
  await page.keyboard.press("Enter");
  const adder = page.getByRole("dialog", { name: "Add a tag" });
  await adder.getByRole("combobox").selectOption({ label: "Abnormality" });
  await adder.getByRole("combobox").press("Enter");
  await page.keyboard.press("3");
  await expect(desk.toGo).toHaveText("Ready to submit");
  await page.keyboard.press("Control+Enter");

  await expect(page.getByText("They stay as they are.")).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/desk/${study.first}$`));
  await desk.alive();
  await expect(page.getByRole("heading", { name: "Your own tags" })).toBeVisible();
  await expect(desk.card("+1")).toHaveCount(0);
  await expectAccessible(page);
  for (const label of study.labels) await desk.judge(label, "v", 3);
  await expect(desk.toGo).toHaveText("Ready to submit");
  await page.keyboard.press("Control+Enter");
  await expect(page).toHaveURL(new RegExp(`/desk/${study.second}$`));

  await page.goto(`/desk/${study.first}`);
  await expect(page.getByText("You submitted this item.")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Your own tags" })).toBeVisible();
});
