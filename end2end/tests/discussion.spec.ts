// Talking a tag over: staff open it, two raters who share no screen agree, and nobody else learns of it.
import { PASSWORD, ReconcilePage, SignInPage, StudyPages } from "../pages/study";
import { expect, expectAccessible, test } from "../support/test";
import { traces } from "../support/traces";

// Two raters with accounts who gave 1 and 5 to the first tag and the same to the second.
function rated(): string {
  const lines = traces(1).trimEnd().split("\n").map((line) => JSON.parse(line));
  for (const line of lines) {
    line.ratings = [
      { rater: "talk-a", candidate: 0, validity: "valid", severity: 1, comment: "A worry, no more." },
      { rater: "talk-b", candidate: 0, validity: "valid", severity: 5, comment: "Plain exclusion." },
      { rater: "talk-a", candidate: 1, validity: "valid", severity: 3 },
      { rater: "talk-b", candidate: 1, validity: "valid", severity: 3 },
    ];
  }
  return lines.map((line) => JSON.stringify(line)).join("\n") + "\n";
}

test("a comment becomes a discussion, a proposal is accepted, and the consensus is recorded", async ({
  page,
  server,
  anotherPerson,
  guard,
}) => {
  await server.run(["user", "add", "talk-staff", "--role", "admin", "--password-stdin"], PASSWORD);
  for (const name of ["talk-a", "talk-b", "talk-c"]) {
    await server.run(["user", "add", name, "--password-stdin"], PASSWORD);
  }
  await new SignInPage(page).signIn("talk-staff");
  const study = await StudyPages.create(page, "Talked over");
  await study.import("rated.jsonl", rated());
  await expect(page.getByText("4 ratings new")).toBeVisible();
  const [a, b, c] = [await anotherPerson(), await anotherPerson(), await anotherPerson()];
  for (const [person, name] of [[a, "talk-a"], [b, "talk-b"], [c, "talk-c"]] as const) {
    await new SignInPage(person).signIn(name);
    await expect(person.getByRole("heading", { name: "Discussions" })).toBeHidden();
  }

  await test.step("staff resolve one comment, undo it, and forward another", async () => {
    await study.open("/comments");
    await expect(page.getByText("A worry, no more.")).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("checkbox", { name: /comment of rater A/ }).check();
    await page.getByRole("button", { name: "Resolve" }).click();
    await expect(page.getByText("1 comment is resolved.")).toBeVisible();
    await page.getByRole("button", { name: "Undo the last step" }).click();
    await expect(page.getByText("Taken back.")).toBeVisible();
    const forward = page.locator("details", { hasText: "comment of rater B" });
    await forward.locator("summary").click();
    await forward.getByLabel("What should they look at?").fill("Is exclusion meant?");
    await forward.getByRole("button", { name: "Open the discussion" }).click();
    await expect(page.getByText("The discussion is open.")).toBeVisible();
    await expectAccessible(page);
  });

  await test.step("a rater finds it, quotes and proposes", async () => {
    await a.goto("/");
    await expect(a.getByText("1 new message")).toBeVisible();
    await a.locator("#discussions tbody a").click();
    await expect(a.getByText("Is exclusion meant?")).toBeVisible();
    await expect(a.getByText("Plain exclusion.")).toBeVisible();
    await expectAccessible(a);
    await a.getByLabel("What you want to say").fill("I can live with three.");
    await a.getByLabel("Severity", { exact: true }).selectOption("3");
    await a.getByLabel("Validity", { exact: true }).selectOption("valid");
    await a.getByRole("button", { name: "Write" }).click();
    await expect(a.getByText("Your proposal stands.")).toBeVisible();
    await expect(a.getByRole("button", { name: /^Accept/ })).toBeHidden();
  });

  const address = new URL(a.url()).pathname;
  await test.step("somebody else learns of nothing", async () => {
    guard.expect(/status of 404/);
    const answer = await c.goto(address);
    expect(answer?.status()).toBe(404);
    await expect(c.getByText("I can live with three.")).toBeHidden();
  });

  await test.step("the other accepts by keyboard", async () => {
    await b.goto(address);
    const accept = b.getByRole("button", { name: /^Accept 3/ });
    await expect(accept).toBeVisible();
    await b.locator("#reconcile-help").waitFor({ state: "attached" });
    await b.keyboard.press("y");
    await expect(b.getByText("the consensus is recorded")).toBeVisible();
    await expect(b.getByText("This discussion is closed.")).toBeVisible();
  });

  await test.step("it is settled, with both judgements as they were", async () => {
    await study.open("/disagreements?state=ruled");
    await page.locator("table.queue tbody a").click();
    await expect(page.locator(".history")).toContainText("Both raters agreed.");
    await expect(page.locator(".sides")).toContainText("A worry, no more.");
    await expect(page.locator(".sides")).toContainText("Plain exclusion.");
  });

  await test.step("what all said the same is confirmed after a look", async () => {
    await study.open("/disagreements?state=agreed&kind=unanimous");
    await page.locator('[name="pick[]"]').check();
    await page.getByRole("button", { name: "Confirm the ticked ones" }).click();
    await expect(page.getByText("Confirmed as the raters said: 1.")).toBeVisible();
  });

  await test.step("the manual grows, and says which rulings need another look", async () => {
    await study.open("/scheme/edit");
    await page.getByLabel("What to reword").selectOption("level 3");
    await page.getByRole("button", { name: "Show" }).click();
    await page.getByLabel("Definition").fill("Plainly unfavourable, without a call to act.");
    await page.getByLabel("What changes and why").first().fill("Raters read it in two ways.");
    await page.getByRole("button", { name: "Make this version" }).first().click();
    await expect(page.getByText("Version 2 counts from now on.")).toBeVisible();
    await expect(page.getByText("2 rulings rest on what changed")).toBeVisible();
    await expectAccessible(page);
    await new ReconcilePage(page).openFirst(study);
    await expect(page.getByText("The coding manual means something else here since version 2")).toBeVisible();
  });
});
