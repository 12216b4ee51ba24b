// The pages before there is anything on them, and how forms and addresses behave.
import { PASSWORD, SignInPage, StudyPages } from "../pages/study";
import { expect, expectAccessible, test } from "../support/test";
import { traces } from "../support/traces";

const below = [
  "", "/scheme", "/members", "/import", "/items", "/batches", "/agreement", "/agreement?question=validity",
  "/disagreements", "/sign-off", "/export", "/settings", "/audit",
];

test("the pages of an empty study are accessible", async ({ page, server, anotherPerson }) => {
  await server.run(["user", "add", "pages-admin", "--role", "admin", "--password-stdin"], PASSWORD);
  await new SignInPage(page).signIn("pages-admin");
  const study = await StudyPages.create(page, "Pages study");
  for (const address of below) {
    await study.open(address);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expectAccessible(page);
  }
  const stranger = await anotherPerson();
  await stranger.goto(new URL(await study.invite("Dr New")).pathname);
  await expectAccessible(page);
  await expect(stranger.getByRole("heading", { level: 1 })).toBeVisible();
  await expectAccessible(stranger);
  await stranger.goto("/sign-in");
  await expectAccessible(stranger);
});

test("a rater without an item is told that nothing waits", async ({ page, server }) => {
  await server.run(["user", "add", "idle", "--password-stdin"], PASSWORD);
  await new SignInPage(page).signIn("idle");
  await expect(page.getByRole("heading", { name: "Nothing waits for you" })).toBeVisible();
  await expectAccessible(page);
});

test("a stranger comes back to where they wanted to go", async ({ page, server }) => {
  await server.run(["user", "add", "back", "--role", "admin", "--password-stdin"], PASSWORD);
  await page.goto("/account");
  await expect(page).toHaveURL(/\/sign-in\?to=/);
  await page.getByLabel("Name").fill("back");
  await page.getByLabel("Password").fill("not the password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert")).toContainText("Name or password is wrong.");
  await expect(page.getByRole("alert")).toBeFocused();
  await expect(page.getByLabel("Name")).toHaveValue("back");
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(/\/account$/);
});

test("a refused form keeps what was typed and leads to the mistake", async ({ page, server }) => {
  await server.run(["user", "add", "typed", "--role", "admin", "--password-stdin"], PASSWORD);
  await new SignInPage(page).signIn("typed");
  await StudyPages.create(page, "Typed once");
  await page.goto("/studies/new");
  await page.getByLabel("Name of the study").fill("Typed once");
  await page.getByRole("button", { name: "Make the study" }).click();
  const alert = page.getByRole("alert");
  await expect(alert).toContainText("This name is taken.");
  await alert.getByRole("link").press("Enter");
  await expect(page.getByLabel("Name of the study")).toHaveValue("Typed once");
  await expect(page.getByLabel("Name of the study")).toHaveAttribute("aria-invalid", "true");
  await expect(page).not.toHaveURL(/Typed/);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test("no page of a study scrolls sideways", async ({ page, server }) => {
    await server.run(["user", "add", "phone", "--role", "admin", "--password-stdin"], PASSWORD);
    await new SignInPage(page).signIn("phone");
    const study = await StudyPages.create(page, "Phone study");
    await study.import("traces.jsonl", traces(4));
    const results = ["/judge", "/corpus", "/plan", "/report", "/rounds", "/comments", "/results", "/audit/independence"];
    for (const address of [...below, ...results]) {
      await study.open(address);
      const wider = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      expect(wider, address).toBe(false);
    }
  });
});

