// Talking a tag over: staff open it, its raters find it, and nobody else learns of it.
import { PASSWORD, SignInPage, StudyPages } from "../pages/study";
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

test("a comment becomes a discussion that only its raters find", async ({
  page,
  server,
  anotherPerson,
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
    await expect(page.getByText("One comment is resolved.")).toBeVisible();
    await page.getByRole("button", { name: "Undo the last step" }).click();
    await expect(page.getByText("Taken back.")).toBeVisible();
    const forward = page.locator("details", { hasText: "comment of rater B" });
    await forward.locator("summary").click();
    await forward.getByLabel("What should they look at?").fill("Is exclusion meant?");
    await forward.getByRole("button", { name: "Open the discussion" }).click();
    await expect(page.getByText("The discussion is open.")).toBeVisible();
    await expectAccessible(page);
  });

  await test.step("a rater finds it", async () => {
    await a.goto("/");
    await expect(a.getByText("1 new message")).toBeVisible();
    await a.locator("#discussions tbody a").click();
    await expect(a.getByText("Is exclusion meant?")).toBeVisible();
    await expect(a.getByText("Plain exclusion.")).toBeVisible();
    await expectAccessible(a);
  });

  await test.step("somebody else learns of nothing", async () => {
    const answer = await c.request.get(new URL(a.url()).pathname);
    expect(answer.status()).toBe(404);
  });
});
