// The pages of people and studies as objects: tests say what somebody does, not where it stands.
import { expect, type Page } from "@playwright/test";

export const PASSWORD = "correct horse battery";

export class SignInPage {
  constructor(private readonly page: Page) {}

  async signIn(name: string, password = PASSWORD): Promise<void> {
    await this.page.goto("/sign-in");
    await this.page.getByLabel("Name").fill(name);
    await this.page.getByLabel("Password").fill(password);
    await this.page.getByRole("button", { name: "Sign in" }).click();
    await expect(this.page.getByRole("heading", { level: 1, name: "My work" })).toBeVisible();
  }
}

export class StudyPages {
  private constructor(
    readonly page: Page,
    readonly address: string,
  ) {}

  // Makes a study with the built-in scheme and lands on its overview.
  static async create(page: Page, name: string): Promise<StudyPages> {
    await page.goto("/studies/new");
    await page.getByLabel("Name of the study").fill(name);
    await page.getByRole("button", { name: "Make the study" }).click();
    await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
    return new StudyPages(page, new URL(page.url()).pathname);
  }

  // The same study as somebody else sees it.
  seenBy(page: Page): StudyPages {
    return new StudyPages(page, this.address);
  }

  async open(below = ""): Promise<void> {
    await this.page.goto(this.address + below);
  }

  async import(name: string, text: string, dryRun = false): Promise<void> {
    await this.open("/import");
    const file = { name, mimeType: "application/octet-stream", buffer: Buffer.from(text) };
    await this.page.getByLabel("File", { exact: true }).setInputFiles(file);
    if (dryRun) await this.page.getByLabel("Only check, write nothing").first().check();
    await this.page.getByRole("button", { name: "Import", exact: true }).click();
    await this.page.waitForURL(/import=/);
  }

  // Makes a one-time link and reads it off the page.
  async invite(displayName: string, role = "rater"): Promise<string> {
    await this.open("/members");
    await this.page.getByLabel("Name of the person").fill(displayName);
    await this.page.locator("#invitation-create-role").selectOption(role);
    await this.page.getByRole("button", { name: "Make the link" }).click();
    return this.page.getByLabel("Copy it now").inputValue();
  }

  async draw(batch: string, size: number): Promise<void> {
    await this.open("/batches");
    await this.page.locator("#batch-create-name").fill(batch);
    await this.page.getByLabel("How many items").fill(String(size));
    await this.page.getByLabel("Seed").fill("7");
    await this.page.getByRole("button", { name: "Show the plan" }).click();
    await expect(this.page.getByText("with seed 7")).toBeVisible();
    await this.page.getByRole("button", { name: "Draw and hand out" }).click();
    await expect(this.page.getByText("The batch is drawn and handed out.")).toBeVisible();
  }
}

export class InvitationPage {
  constructor(private readonly page: Page) {}

  async accept(link: string, name: string): Promise<void> {
    await this.page.goto(new URL(link).pathname);
    await this.page.getByLabel("Sign-in name").fill(name);
    await this.page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await this.page.getByLabel("The same password again").fill(PASSWORD);
    await this.page.getByRole("button", { name: "Make the account and begin" }).click();
    await expect(this.page.getByText("Your account is made and you are signed in.")).toBeVisible();
  }
}

export class ReconcilePage {
  constructor(private readonly page: Page) {}

  async openFirst(study: StudyPages): Promise<void> {
    await study.open("/disagreements");
    await this.page.getByRole("link", { name: "Begin with the most distant" }).click();
    await expect(this.page.getByRole("article", { name: "Rater A" })).toBeVisible();
  }

  outcome(name: string) {
    return this.page.getByRole("radio", { name: new RegExp(`^${name}`) });
  }

  finalSeverity(value: number) {
    return this.page.locator(`input[name="severity"][value="${value}"]`);
  }

  async settle(outcome: string, note: string): Promise<void> {
    await this.outcome(outcome).check({ force: true });
    await this.page.getByRole("textbox", { name: "Note", exact: true }).fill(note);
    await this.record();
  }

  async record(): Promise<void> {
    await this.page.getByRole("button", { name: /^Record/ }).click();
  }
}
