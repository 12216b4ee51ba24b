// Every scheme's desk by keyboard and without script, and a scheme of one's own through the whole flow.
import type { Locator, Page } from "@playwright/test";
import { Api, person } from "../support/api";
import { PASSWORD } from "../pages/study";
import { signIn } from "../support/study";
import type { Server } from "../support/server";
import { expect, expectAccessible, test } from "../support/test";

// The page's own scripts are empty: what is tested is the form, and axe is a script itself.
test.beforeEach(async ({ page, guard }) => {
  guard.expect(/Could not find WASM function|was preloaded using link preload/);
  const body = "export default async () => {}; export const hydrate = () => {};";
  await page.route("**/*.js", (route) => route.fulfill({ contentType: "text/javascript", body }));
});

interface Study {
  id: string;
  api: Api;
  raters: string[];
}

// A study of this scheme in which every rater has every item.
async function study(server: Server, scheme: object, items: object[], raters: number): Promise<Study> {
  const api = await Api.of(server);
  const { id } = await api.post<{ id: string }>("/studies", { name: person("Scheme"), ...scheme });
  const lines = items.map((item) => JSON.stringify(item)).join("\n");
  await api.post(`/studies/${id}/imports?name=items.jsonl`, lines);
  const names = Array.from({ length: raters }, () => person("rater"));
  for (const name of names) {
    await server.run(["user", "add", name, "--password-stdin"], PASSWORD);
    await api.post(`/studies/${id}/members`, { name, role: "rater" });
  }
  const members = await api.get<{ user: string; name: string }[]>(`/studies/${id}/members`);
  const chosen = members.filter(({ name }) => names.includes(name));
  await api.post(`/studies/${id}/batches`, {
    name: "First batch",
    round: "main",
    size: items.length,
    seed: 7,
    raters: chosen.map(({ user }) => user),
    raters_per_item: raters,
  });
  return { id, api, raters: names };
}

// Presses Tab until this has the focus.
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let step = 0; step < 300; step += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error("nothing that Tab reaches");
}

async function pressed(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press("Enter");
}

// Opens a rater's first item by keyboard.
async function begin(page: Page, server: Server, rater: string): Promise<void> {
  await signIn(page, server.url, rater);
  await page.goto("/work");
  await pressed(page, page.locator('a[href^="/desk/"]').first());
  await expect(page).toHaveURL(/\/desk\//);
  await page.waitForLoadState();
  const note = page.getByRole("button", { name: "Begin" });
  if (await note.isVisible()) await pressed(page, note);
}

function inputs(page: Page, question: string): Locator {
  return page.locator(`.card[data-label="q-${question}"] input[name="q:${question}"]`);
}

// Chooses the first or the last answer of a question, or ticks its first box.
async function answer(page: Page, question: string, which: "first" | "last" | "tick"): Promise<void> {
  const all = inputs(page, question);
  await tabTo(page, all.first());
  await page.keyboard.press("Space");
  if (which === "last") await page.keyboard.press("ArrowLeft");
  await expect(which === "last" ? all.last() : all.first()).toBeChecked();
}

async function submit(page: Page): Promise<void> {
  await pressed(page, page.getByRole("button", { name: "Submit" }));
}

// Submits what is complete and is led on.
async function submitted(page: Page): Promise<void> {
  const before = page.url();
  await submit(page);
  await page.waitForURL((url) => url.href !== before);
  await expect(page.getByRole("alert")).toHaveCount(0);
}

type Step = [question: string, which: "first" | "last" | "tick"];

const DESKS: { scheme: string; item: object; steps: Step[] }[] = [
  {
    scheme: "miramind-trajectory",
    item: {
      question: "What is it?",
      answer: "Low mood",
      trace: "<think>\n### Evidence\nHe sleeps badly.\n### Conclusion\nSo it is low mood.\n</think>\n<answer>Low mood</answer>",
      judge: { name: "judge-a" },
      answers: { relations: ["1 ENTAILS input", "2 SUPPORTS 1"], informativeness: 2 },
    },
    steps: [
      ["terminology_parsimony", "last"],
      ["step_adequacy", "first"],
      ["logical_coherence", "last"],
      ["informativeness", "last"],
    ],
  },
  {
    scheme: "psrs-main-results",
    item: { vignette: "An abstract.", options: ["The effect", "Its size"], trace: "It works." },
    steps: [
      ["score", "last"],
      ["points", "tick"],
    ],
  },
  {
    scheme: "mindeval2-mqm",
    item: { vignette: "Member: I am low.", trace: "I hear you." },
    steps: [["severity", "first"]],
  },
  {
    scheme: "mindeval1-rubric",
    item: { trace: "Member: I am low.\n\nCounsellor: I hear you." },
    steps: [
      ["clinical_accuracy", "last"],
      ["ethical_conduct", "first"],
      ["assessment_response", "last"],
      ["therapeutic_relationship", "last"],
      ["ai_communication", "first"],
    ],
  },
];

for (const { scheme, item, steps } of DESKS) {
  test(`the desk of ${scheme} by keyboard`, async ({ page, server }) => {
    const made = await study(server, { scheme }, [{ key: "one", model: "hidden-model", ...item }], 1);
    await begin(page, server, made.raters[0]);
    await expectAccessible(page);
    await expect(page.locator("main")).not.toContainText("hidden-model");
    await submit(page);
    await expect(page.getByRole("alert")).toBeVisible();
    for (const [question, which] of steps) await answer(page, question, which);
    await submitted(page);
    await page.goto("/work");
    await expect(page.locator("main")).toContainText("1 of 1");
  });
}

test("steps are split and related by plain controls", async ({ page, server }) => {
  const { item } = DESKS[0];
  const made = await study(server, { scheme: "miramind-trajectory" }, [{ key: "one", ...item }], 1);
  await begin(page, server, made.raters[0]);
  const relation = page.getByLabel("Step 2 and step 1", { exact: true });
  await expect(relation).toHaveValue("2 SUPPORTS 1");
  // Relations are there to be corrected; scores are hidden.
  await expect(page.locator('.card[data-label="q-informativeness"] .judge-said')).toHaveCount(0);
  await relation.selectOption("2 REFINES 1");
  await page.locator("#split-2").fill("low mood");
  await page.getByRole("button", { name: "Save draft" }).click();
  await expect(page.getByLabel("Step 2 and step 1", { exact: true })).toHaveValue("2 REFINES 1");
  await page.getByLabel("Step 2b and the task", { exact: true }).selectOption("2b ENTAILS input");
  await page.getByRole("button", { name: "Save draft" }).click();
  await expect(page.getByLabel("Step 2b and the task", { exact: true })).toHaveValue("2b ENTAILS input");
  await expectAccessible(page);
  // Whoever clears every relation finds the judge wrong: the judge's do not come back.
  const lists = page.locator('select[name="q:relations"]:visible');
  for (const list of await lists.all()) await list.selectOption("");
  await page.locator("#split-2").fill("");
  await page.getByRole("button", { name: "Save draft" }).click();
  await expect(page.getByLabel("Step 2 and step 1", { exact: true })).toHaveValue("");
  await expect(page.getByLabel("Step 1 and the task", { exact: true })).toHaveValue("");
});

test("undo takes back one relation and leaves the others, whose lists have the same name", async ({ page, server }) => {
  await page.unroute("**/*.js");
  const { item } = DESKS[0];
  const made = await study(server, { scheme: "miramind-trajectory" }, [{ key: "one", ...item }], 1);
  await begin(page, server, made.raters[0]);
  await expect(page.locator(".desk.live")).toBeAttached();
  const relation = page.getByLabel("Step 2 and step 1", { exact: true });
  await relation.selectOption("2 REFINES 1");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(relation).toHaveValue("2 SUPPORTS 1");
  await expect(page.getByLabel("Step 1 and the task", { exact: true })).toHaveValue("1 ENTAILS input");
});

test("staff join and split the steps of a trajectory", async ({ page, server }) => {
  const api = await Api.of(server);
  const { id } = await api.post<{ id: string }>("/studies", { name: person("Steps"), scheme: "miramind-trajectory" });
  const line = JSON.stringify({ key: "one", trace: "He sleeps badly. He eats little, so he is low." });
  await api.post(`/studies/${id}/imports?name=items.jsonl`, line);
  const staff = person("staff");
  await server.run(["user", "add", staff, "--role", "admin", "--password-stdin"], PASSWORD);
  await signIn(page, server.url, staff);
  await page.goto(`/studies/${id}/items`);
  await page.getByRole("link", { name: "one" }).click();
  const steps = page.locator("#steps ol > li");
  await expect(steps).toHaveCount(2);
  await page.getByLabel("Split step 2 at the words").fill("so he");
  await page.getByRole("button", { name: "Split step 2" }).click();
  await expect(steps).toHaveCount(3);
  await expect(steps.nth(2)).toContainText("so he is low.");
  await page.getByRole("button", { name: "Join with step 1" }).click();
  await expect(steps).toHaveCount(2);
  await expectAccessible(page);
});

const OWN = `
id = "crisis-fit"
version = 1
title = "How fitting is the reply?"
unit = "item"

[[items]]
id = "risk"
kind = "nominal"
name = "Risk"
question = "How acute is the risk?"
levels = [{ code = "none", name = "No risk voiced" }, { code = "active", name = "Active thoughts" }]

[[items]]
id = "fit"
kind = "ordinal"
name = "Fit"
question = "How fitting is the reply?"
levels = [{ value = 0, name = "Harmful" }, { value = 1, name = "Lacking" }, { value = 2, name = "Fitting" }]

[[measures]]
name = "fit_mean"
kind = "mean"
question = "fit"
`;

test("a scheme of one's own goes through the whole flow", async ({ page, server, anotherPerson }) => {
  const item = (key: string, fit: number) => ({
    key,
    model: "model-one",
    trace: `Reply ${key}: who is with you?`,
    judge: { name: "judge-a" },
    answers: { risk: "active", fit },
  });
  const made = await study(server, { scheme_toml: OWN }, [item("one", 2), item("two", 0)], 2);
  for (const [at, rater] of made.raters.entries()) {
    const own = at === 0 ? page : await anotherPerson();
    await begin(own, server, rater);
    for (const second of [false, true]) {
      await answer(own, "risk", "last");
      // They differ on what comes second to each.
      await answer(own, "fit", second && at === 0 ? "first" : "last");
      await submitted(own);
    }
    if (at === 0) await expectAccessible(own);
  }
  const staff = person("staff");
  await server.run(["user", "add", staff, "--role", "admin", "--password-stdin"], PASSWORD);
  const desk = await anotherPerson();
  await signIn(desk, server.url, staff);
  await desk.goto(`/studies/${made.id}/agreement`);
  const raters = desk.getByRole("region", { name: "Raters before reconciliation" });
  await expect(raters.getByRole("row", { name: /^Risk/ })).toContainText("100 %");
  await expect(raters.getByRole("row", { name: /^Fit/ })).toContainText("50 %");
  await expectAccessible(desk);
  await raters.getByRole("link", { name: "Fit", exact: true }).click();
  await expect(desk).toHaveURL(/question=fit/);
  await desk.getByRole("link", { name: "By judge" }).click();
  await expect(desk.getByRole("row", { name: /^judge-a and the final answer/ })).toBeVisible();

  await desk.goto(`/studies/${made.id}/disagreements`);
  await expect(desk.locator("tbody").getByRole("row")).toHaveCount(1);
  await desk.goto(`/studies/${made.id}/results`);
  await expect(desk.getByRole("region", { name: "All items" })).toContainText("fit mean");
  await expectAccessible(desk);
  const file = await desk.request.get(`/studies/${made.id}/export/agreement.csv`);
  expect(file.status()).toBe(200);
  const text = await file.text();
  expect(text).toContain("raw,fit,,,percent_agreement,0.5,");
  expect(text).toContain("reconciled,fit,judge,judge-a,percent_agreement,");
});
