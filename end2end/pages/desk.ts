// The judging desk, as a person uses it.
import { expect, type Locator, type Page } from "@playwright/test";

export class Desk {
  readonly state: Locator;
  readonly trace: Locator;
  readonly toGo: Locator;
  readonly nothingMissed: Locator;
  readonly waysOut: Locator;
  readonly submit: Locator;
  readonly help: Locator;
  readonly conflict: Locator;
  readonly signIn: Locator;
  readonly adder: Locator;
  readonly chooser: Locator;
  readonly errors: Locator;
  readonly said: Locator;

  constructor(readonly page: Page) {
    this.state = page.locator("#save-state");
    this.trace = page.getByRole("group", { name: "Reasoning trace" });
    this.toGo = page.locator("#to-go");
    this.nothingMissed = page.getByRole("checkbox", { name: /^Nothing missed/ });
    this.waysOut = page.getByText("Cannot be rated…");
    this.submit = page.getByRole("button", { name: "Submit" });
    this.help = page.getByRole("dialog", { name: "Keys" });
    this.conflict = page.getByRole("dialog", { name: "This item changed in another window" });
    this.signIn = page.getByRole("dialog", { name: "You are signed out" });
    this.adder = page.getByRole("dialog", { name: "Add a missed tag" });
    this.chooser = page.getByRole("dialog", { name: "Tags at this place" });
    this.errors = page.locator("#errors");
    this.said = page.locator("#say");
  }

  async open(assignment: string): Promise<void> {
    await this.page.goto(`/desk/${assignment}`);
    await this.alive();
    const begin = this.page.getByRole("button", { name: "Begin" });
    if (await begin.isVisible()) await begin.click();
  }

  // The island is at work once the form says so.
  async alive(): Promise<void> {
    await expect(this.page.locator("#desk.live")).toBeAttached();
  }

  async saved(): Promise<void> {
    await expect(this.state).toHaveText(/^Saved \d\d:\d\d$/);
  }

  card(label: string): Locator {
    return this.page.locator(`.cards .card[data-label="${label}"]`);
  }

  // What the head of a card says of its judgement.
  head(label: string): Locator {
    return this.card(label).locator(".done");
  }

  severity(label: string, value: number): Locator {
    return this.card(label).locator(`input[name$=".severity"][value="${value}"]`);
  }

  validity(label: string, value: string): Locator {
    return this.card(label).locator(`input[name$=".validity"][value="${value}"]`);
  }

  better(label: string, category: string): Locator {
    return this.card(label).locator(".better").getByLabel(category, { exact: true });
  }

  // Steps with the keyboard from the current card to this one.
  async goTo(label: string): Promise<void> {
    const cards = this.page.locator('.cards .card[data-label]:not([data-label="new"])');
    const [from, to] = await cards.evaluateAll(
      (cards, label) => [
        cards.findIndex((card) => card.hasAttribute("aria-current")),
        cards.findIndex((card) => card.getAttribute("data-label") === label),
      ],
      label,
    );
    const key = from < to ? "ArrowDown" : "ArrowUp";
    for (let step = 0; step < Math.abs(to - from); step += 1) await this.page.keyboard.press(key);
    await expect(this.card(label)).toHaveAttribute("aria-current", "true");
  }

  async judge(label: string, validity: "v" | "o" | "x", severity: number): Promise<void> {
    await this.goTo(label);
    await this.page.keyboard.press(validity);
    await this.page.keyboard.press(String(severity));
  }

  // Everything that a submission needs.
  async judgeAll(labels: string[], severity: number): Promise<void> {
    for (const label of labels) await this.judge(label, "v", severity);
    await this.page.keyboard.press("n");
    await expect(this.toGo).toHaveText("Ready to submit");
  }

  async text(): Promise<string> {
    return this.trace.evaluate((trace) => trace.textContent ?? "");
  }

  // The words under a tag, as drawn.
  async words(label: string): Promise<string> {
    const stretches = this.trace.locator(`mark[data-tags~="${label}"]`);
    return (await stretches.allTextContents()).join("");
  }

  // Drags over words of the trace; `backwards` begins at their end, `beyond` lets go outside the trace.
  async drag(words: string, how: { backwards?: boolean; beyond?: boolean } = {}): Promise<void> {
    const box = await this.box(words);
    const middle = box.y + box.height / 2;
    const [from, to] = how.backwards ? [box.x + box.width - 1, box.x + 1] : [box.x + 1, box.x + box.width - 1];
    const mouse = this.page.mouse;
    await mouse.move(from, middle);
    await mouse.down();
    await mouse.move((from + to) / 2, middle, { steps: 4 });
    await (how.beyond ? mouse.move(1000, 740, { steps: 4 }) : mouse.move(to, middle, { steps: 4 }));
    await mouse.up();
  }

  async clickWords(words: string): Promise<void> {
    const box = await this.box(words);
    await this.page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  }

  async hoverWords(words: string): Promise<void> {
    const box = await this.box(words);
    await this.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  }

  // Goes to the words with the keyboard: word by word, then with Shift over the rest of them.
  async selectWords(words: string): Promise<void> {
    const split = (text: string) => text.split(/\s+/).filter(Boolean);
    const all = split(await this.text());
    const wanted = split(words);
    const at = all.findIndex((_, from) => wanted.every((word, next) => all[from + next] === word));
    expect(at, `"${words}" in the trace`).toBeGreaterThanOrEqual(0);
    await this.trace.focus();
    await this.page.keyboard.press("Home");
    for (let step = 0; step < at; step += 1) await this.page.keyboard.press("ArrowRight");
    for (let step = 1; step < wanted.length; step += 1) await this.page.keyboard.press("Shift+ArrowRight");
  }

  async choose(category: string): Promise<void> {
    await this.adder.getByRole("combobox").selectOption({ label: category });
    await this.adder.getByRole("button", { name: "Add" }).click();
  }

  private box(words: string): Promise<{ x: number; y: number; width: number; height: number }> {
    return this.trace.evaluate((trace, words) => {
      const walker = document.createTreeWalker(trace, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
        const at = node.data.indexOf(words);
        if (at < 0) continue;
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + words.length);
        range.startContainer.parentElement?.scrollIntoView({ block: "center" });
        const { x, y, width, height } = range.getBoundingClientRect();
        return { x, y, width, height };
      }
      throw new Error("the words do not stand in one stretch of the trace");
    }, words);
  }
}
