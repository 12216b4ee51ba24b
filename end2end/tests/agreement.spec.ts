// Agreement when it is hard to say: too little, all alike, nothing alike.
import type { Page } from "@playwright/test";
import { Api, person } from "../support/api";
import { PASSWORD, SignInPage } from "../pages/study";
import { expect, expectAccessible, test } from "../support/test";
import { traces } from "../support/traces";

type Judged = [validity: string, severity: number] | undefined;

// A study of items with two tags each, rated by two people as `say` has it; its page of agreement.
async function rated(page: Page, api: Api, say: (item: number, rater: number) => Judged): Promise<string> {
  const { id } = await api.post<{ id: string }>("/studies", { name: person("Agreement") });
  const lines = traces(4).trimEnd().split("\n").map((line) => JSON.parse(line));
  for (const [item, line] of lines.entries()) {
    line.ratings = [0, 1].flatMap((rater) => {
      const judged = say(item, rater);
      const one = (candidate: number) => ({
        rater: `r${rater}`,
        candidate,
        validity: judged![0],
        severity: judged![1],
      });
      return judged ? [one(0), one(1)] : [];
    });
  }
  await api.post(`/studies/${id}/imports?name=rated.jsonl`, lines.map((line) => JSON.stringify(line)).join("\n"));
  await page.goto(`/studies/${id}/agreement?question=validity`);
  return id;
}

test.beforeEach(async ({ page, server }) => {
  const name = person("reader");
  await server.run(["user", "add", name, "--role", "admin", "--password-stdin"], PASSWORD);
  await new SignInPage(page).signIn(name);
});

// label-studio #900: an empty page instead of what is needed.
test("fault rows 22, 35: without a shared item the page says what agreement waits for", async ({ page, server }) => {
  const api = await Api.of(server);
  await rated(page, api, () => undefined);
  await expect(page.getByRole("heading", { name: /Agreement needs/ })).toBeVisible();
  await expectAccessible(page);
  // inception-project/inception #2219: alpha 1.0 for raters who share nothing.
  await rated(page, api, (item, rater) => (item % 2 === rater ? ["valid", 3] : undefined));
  await expect(page.getByRole("heading", { name: "No tag has been judged by two raters yet" })).toBeVisible();
  await expect(page.getByRole("table")).toHaveCount(0);
});

// dkpro-statistics #19: all alike, and alpha 0.
test("fault row 24: where nothing varies a coefficient is undefined and says why", async ({ page, server }) => {
  await rated(page, await Api.of(server), () => ["valid", 3]);
  await expect(page.getByRole("row", { name: /^Exact agreement \d/ })).toContainText("100 %");
  for (const name of [/^Cohen’s kappa, unweighted Undefined/, /^Krippendorff’s alpha, nominal Undefined/]) {
    await expect(page.getByRole("row", { name })).toBeVisible();
  }
  await expect(page.locator("main")).not.toContainText("NaN");
  await expectAccessible(page);
});

// Potato 2.8.0: two raters who agree on nothing scored 1.0, and nothing was queued.
test("fault row 33: total disagreement is 0 %, and all of it waits to be settled", async ({ page, server }) => {
  const id = await rated(page, await Api.of(server), (_, rater) => [rater ? "invalid" : "valid", 3]);
  await expect(page.getByRole("row", { name: /^Exact agreement \d/ })).toContainText("0 %");
  await page.goto(`/studies/${id}/disagreements`);
  await expect(page.getByRole("link", { name: /^To settle 8$/ })).toBeVisible();
  await expect(page.locator("tbody").getByRole("row")).toHaveCount(8);
});
