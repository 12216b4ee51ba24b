// What goes wrong between the desk and the server, as other tools have suffered it. Rows name the fault.
import type { Page, Request, Route } from "@playwright/test";
import { Desk } from "../pages/desk";
import { PASSWORD } from "../pages/study";
import { deskStudy, type DeskStudy } from "../support/study";
import { expect, expectAccessible, test } from "../support/test";

let study: DeskStudy;
let desk: Desk;

test.beforeEach(async ({ server, page }) => {
  study = await deskStudy(server);
  await study.raters[0].signIn(page);
  desk = new Desk(page);
  await desk.open(study.first);
});

const SAVES = "**/api/v1/assignments/*/annotation";
const SUBMISSIONS = "**/api/v1/assignments/*/submit";

// The addresses of everything that a page writes.
function writes(page: Page): string[] {
  const seen: string[] = [];
  page.on("request", (request: Request) => {
    if (request.method() !== "GET") seen.push(new URL(request.url()).pathname);
  });
  return seen;
}

interface Stored {
  version: number;
  state: string;
  annotation: { judgements: Record<string, { severity?: number; comment: string }>; missed: object[] };
}

async function stored(page: Page, assignment: string): Promise<Stored> {
  return (await page.request.get(`/api/v1/assignments/${assignment}/annotation`)).json();
}

async function comments(page: Page): Promise<string[]> {
  const { annotation } = await stored(page, study.first);
  return Object.values(annotation.judgements).map(({ comment }) => comment);
}

// As if the computer had stopped: unlike closing, it gives the page no moment to send what is unsaved.
async function crash(page: Page): Promise<void> {
  const crashed = page.waitForEvent("crash");
  const session = await page.context().newCDPSession(page);
  session.send("Page.crash").catch(() => {});
  await crashed;
  await page.close();
}

// A gate that answers wait behind until it is opened.
function gate(): { opened: Promise<void>; open: () => void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

test.describe("without a network", () => {
  test.beforeEach(({ guard }) => guard.expect(/ERR_INTERNET_DISCONNECTED/));

  // HumanSignal/label-studio #6675, #6674: two minutes without a network, and finished items were empty.
  test("fault row 1: what was judged and submitted waits, in words, and arrives", async ({ page, context }) => {
    const sent = writes(page);
    await context.setOffline(true);
    await desk.judgeAll(study.labels, 3);
    await expect(desk.state).toHaveText("Not saved: offline, will retry");
    await expect(page.getByText("Offline: changes wait until the network is back")).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press("Control+Enter");
    await page.keyboard.press("Control+Enter");
    await expect(desk.state).toHaveText("Not submitted: offline, will retry");
    await expect(page).toHaveURL(new RegExp(`/desk/${study.first}$`));
    await context.setOffline(false);
    await expect(page).toHaveURL(new RegExp(`/desk/${study.second}$`));
    await desk.alive();
    expect(sent.every((path) => path.includes(study.first))).toBe(true);
    await page.goto(`/desk/${study.first}`);
    await expect(page.getByText("You submitted this item.")).toBeVisible();
    for (const label of study.labels) await expect(desk.severity(label, 3)).toBeChecked();
  });

  test("a change after pressing submit takes the submission back", async ({ page, context }) => {
    await desk.judgeAll(study.labels, 3);
    await desk.saved();
    await context.setOffline(true);
    await page.keyboard.press("Control+Enter");
    await expect(desk.state).toHaveText("Not submitted: offline, will retry");
    await desk.judge("1", "v", 5);
    await expect(desk.submit).toBeEnabled();
    await context.setOffline(false);
    await desk.saved();
    expect((await stored(page, study.first)).state).toBe("in_progress");
  });

  test("a draft that was left unsaved waits for its own item", async ({ page, context }) => {
    await context.setOffline(true);
    await desk.judge("1", "x", 2);
    await expect(desk.state).toHaveText("Not saved: offline, will retry");
    await crash(page);
    await context.setOffline(false);
    const later = await context.newPage();
    const sent = writes(later);
    const other = new Desk(later);
    await other.open(study.second);
    await expect(other.head("1")).toHaveText("not judged");
    expect(sent).toEqual([]);
    await other.open(study.first);
    await expect(other.said).toHaveText("Changes that were not yet saved are back.");
    await expect(other.head("1")).toHaveText("Invalid · 2");
    await other.saved();
    expect(sent.every((path) => path.includes(study.first))).toBe(true);
  });

  test("leaving with unsaved changes asks first", async ({ page, context }) => {
    await context.setOffline(true);
    await desk.judge("1", "v", 2);
    await expect(desk.state).toHaveText("Not saved: offline, will retry");
    const asked: string[] = [];
    page.on("dialog", async (question) => {
      asked.push(question.type());
      await question.dismiss();
    });
    await page.getByRole("link", { name: "My work" }).click({ noWaitAfter: true });
    await expect.poll(() => asked).toEqual(["beforeunload"]);
    await expect(desk.severity("1", 2)).toBeChecked();
  });
});

// label-studio #1101: a lost answer, a second copy.
test("fault row 2: a save whose answer is lost is saved once", async ({ page, guard }) => {
  guard.expect(/status of 502/);
  const { version } = await stored(page, study.first);
  let answers = 0;
  await page.route(SAVES, async (route) => {
    const response = await route.fetch();
    await (answers++ ? route.fulfill({ response }) : route.fulfill({ status: 502, body: "" }));
  });
  await page.keyboard.press("v");
  await expect(desk.state).toHaveText("Not saved: no answer, will retry");
  await desk.saved();
  await expect(desk.conflict).toBeHidden();
  expect(answers).toBe(2);
  expect((await stored(page, study.first)).version).toBe(version + 1);
});

test("fault row 2: a submission whose answer is lost goes on, once", async ({ page, guard }) => {
  guard.expect(/status of 502/);
  let answers = 0;
  await page.route(SUBMISSIONS, async (route) => {
    const response = await route.fetch();
    await (answers++ ? route.fulfill({ response }) : route.fulfill({ status: 502, body: "" }));
  });
  await desk.judgeAll(study.labels, 3);
  await page.keyboard.press("Control+Enter");
  await expect(page).toHaveURL(new RegExp(`/desk/${study.second}$`));
  await desk.alive();
  await expect(page.getByText("1 of 2", { exact: true })).toBeVisible();
});

// label-studio #1790: an old draft overwrites the newer submission.
test("fault row 3: a draft that arrives after the submission changes nothing", async ({ page, context, guard }) => {
  guard.expect(/status of 409/);
  const late = gate();
  await page.route(SAVES, async (route) => {
    await late.opened;
    await route.continue();
  });
  await desk.judge("1", "v", 1);
  const other = new Desk(await context.newPage());
  await other.open(study.first);
  await other.judgeAll(study.labels, 5);
  await other.page.keyboard.press("Control+Enter");
  await expect(other.page).toHaveURL(new RegExp(`/desk/${study.second}$`));
  late.open();
  await expect(desk.state).toHaveText("Not saved: this item was closed elsewhere");
  await page.reload();
  await expect(desk.severity("1", 5)).toBeChecked();
});

// HumanSignal/dm2 PR #195: drafts lost by leaving.
for (const [way, leave] of [
  ["a link", (page: Page) => page.getByRole("link", { name: "My work" }).click()],
  ["Back", (page: Page) => page.goBack()],
  ["closing the tab", (page: Page) => page.close({ runBeforeUnload: true })],
] as const) {
  test(`fault row 5: words typed just before leaving by ${way} are kept`, async ({ page, context }) => {
    await page.goto("/work");
    await desk.open(study.first);
    await page.keyboard.press("c");
    await page.keyboard.type("typed at the last moment");
    await leave(page);
    const other = await context.newPage();
    await expect.poll(() => comments(other)).toContain("typed at the last moment");
  });
}

// AppraiseDev/Appraise #39, annefried/swan #361, webanno #384: signed out without a word.
test("fault rows 8, 10, 12: a lost session hides the text, takes no input and loses nothing", async ({ page, guard }) => {
  guard.expect(/status of 401/);
  const words = study.trace.slice(0, 14);
  await desk.judge("1", "v", 4);
  await desk.saved();
  const ended = await page.request.delete("/api/v1/session", { headers: { origin: new URL(page.url()).origin } });
  expect(ended.ok()).toBe(true);
  await page.keyboard.press("c");
  await page.keyboard.type("written while signed out");
  await expect(desk.signIn).toBeVisible();
  expect(await page.content()).not.toContain(words);
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(desk.signIn).toBeVisible();
  await desk.signIn.getByLabel("Password").fill("not the password");
  await page.keyboard.press("Enter");
  await expect(desk.signIn.getByRole("alert")).toHaveText("The password is wrong.");
  await desk.signIn.getByLabel("Password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await desk.alive();
  await desk.saved();
  await expect(desk.severity("1", 4)).toBeChecked();
  await expect(desk.card("1").locator("textarea")).toHaveValue("written while signed out");
  expect(await comments(page)).toContain("written while signed out");
});

test("fault row 8: a submission without a session is made after signing in", async ({ page, guard }) => {
  guard.expect(/status of 401/);
  await desk.judgeAll(study.labels, 2);
  await desk.saved();
  await page.context().clearCookies();
  await page.keyboard.press("Control+Enter");
  await desk.signIn.getByLabel("Password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await desk.alive();
  await expect(desk.toGo).toHaveText("Ready to submit");
  await page.keyboard.press("Control+Enter");
  await expect(page).toHaveURL(new RegExp(`/desk/${study.second}$`));
});

// l3p-cv/lost #81: a time-out without a warning.
test("fault row 9: the end of a session is announced and put off", async ({ page }) => {
  await page.route(`**/desk/${study.first}`, async (route) => {
    const response = await route.fetch();
    const soon = `&quot;expires_at&quot;:${Date.now() + 60_000}`;
    const plain = soon.replaceAll("&quot;", '"');
    const body = (await response.text())
      .replace(/&quot;expires_at&quot;:\d+/, soon)
      .replace(/"expires_at":\d+/, plain);
    await route.fulfill({ response, body });
  });
  await page.clock.install();
  await page.reload();
  await desk.alive();
  await page.clock.runFor(6_000);
  const warning = page.getByText("You will be signed out in less than two minutes.");
  await expect(warning).toBeVisible();
  await expect(page.getByRole("status").filter({ has: warning })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Stay signed in" }).click();
  await expect(warning).toBeHidden();
});

test.describe("in two windows", () => {
  let other: Desk;

  test.beforeEach(async ({ context, guard }) => {
    guard.expect(/status of 409/);
    other = new Desk(await context.newPage());
    await other.open(study.first);
    await other.judge("1", "v", 1);
    await other.saved();
  });

  // cloud-annotations #55: an old tab overwrites newer work.
  test("fault row 15: the older window asks, and keeps its own when told", async ({ page }) => {
    await page.keyboard.press("5");
    await expect(desk.conflict.getByRole("row", { name: /^Tag 1: severity/ }).getByRole("cell")).toHaveText(["5", "1"]);
    await expectAccessible(page);
    // It opens under a hand that types: the next space chooses nothing. A browser closes a dialog at the third Escape.
    await page.keyboard.press("Space");
    await expect(desk.conflict).toBeVisible();
    for (let time = 0; time < 3; time += 1) await page.keyboard.press("Escape");
    await expect(desk.conflict).toBeVisible();
    expect(Object.values((await stored(page, study.first)).annotation.judgements)[0].severity).toBe(1);
    await desk.conflict.getByRole("button", { name: "Keep what is here" }).click();
    await desk.saved();
    await page.reload();
    await desk.alive();
    await expect(desk.severity("1", 5)).toBeChecked();
  });

  // stroom #5522: the version must cover everything; argilla PR #3792: what is shown is what is stored.
  test("fault rows 16, 19: another field conflicts too, and the other version can be taken", async ({ page }) => {
    await desk.drag(study.unmarked);
    await desk.choose("Abnormality");
    await expect(desk.conflict).toContainText("Missed");
    await desk.conflict.getByRole("button", { name: "Take what is there" }).click();
    await expect(desk.severity("1", 1)).toBeChecked();
    await expect(desk.card("+1")).toHaveCount(0);
    await page.reload();
    await desk.alive();
    await expect(desk.severity("1", 1)).toBeChecked();
    await expect(desk.card("+1")).toHaveCount(0);
  });
});

// label-studio-frontend PR #1124: the button stays alive while sending.
test("fault row 20: a double click is one submission", async ({ page }) => {
  const slow = gate();
  const sent: Route[] = [];
  await page.route(SUBMISSIONS, async (route) => {
    sent.push(route);
    await slow.opened;
    await route.continue();
  });
  await desk.judgeAll(study.labels, 3);
  await desk.saved();
  await desk.submit.dblclick();
  await page.keyboard.press("Control+Enter");
  await expect(desk.submit).toBeDisabled();
  slow.open();
  await expect(page).toHaveURL(new RegExp(`/desk/${study.second}$`));
  await desk.alive();
  expect(sent).toHaveLength(1);
  await expect(page.getByText("1 of 2", { exact: true })).toBeVisible();
});

// nlplab/brat #1017: half-written lines after a crash.
test("fault row 7: a server killed amid a burst of saves has all that it acknowledged", async ({ page, server, guard }) => {
  guard.expect(/ERR_(CONNECTION_REFUSED|CONNECTION_RESET|EMPTY_RESPONSE|SOCKET_NOT_CONNECTED)/);
  const other = `/api/v1/assignments/${study.second}/annotation`;
  let { version } = await stored(page, study.second);
  let acknowledged = 0;
  let killed: Promise<void> | undefined;
  for (let save = 1; save <= 200; save += 1) {
    const sent = page.request.put(other, {
      headers: { origin: server.url },
      data: { base_version: version, save_id: `save-${save}`, annotation: { comment: `save ${save}` } },
    });
    if (save === 60) killed = server.kill();
    const answer = await sent.catch(() => undefined);
    if (!answer) break;
    expect(answer.ok()).toBe(true);
    version = (await answer.json()).version;
    acknowledged = save;
  }
  await killed;
  await page.keyboard.press("v");
  await expect(desk.state).toHaveText("Not saved: no answer, will retry");
  await server.restart();
  await desk.saved();
  const { annotation } = await (await page.request.get(other)).json();
  // The save under way when the server died was perhaps written and never acknowledged.
  expect([`save ${acknowledged}`, `save ${acknowledged + 1}`]).toContain(annotation.comment);
  expect(acknowledged).toBeGreaterThanOrEqual(59);
  await server.run(["check"]);
});

test("words that look like markup come back as they were written, whatever else is changed", async ({ page }) => {
  const words = "\nif p &lt; 0.05 & so on</textarea><b>bold</b>";
  const field = desk.card("1").getByLabel("Comment, if you like");
  await field.fill(words);
  await desk.saved();
  await desk.open(study.first);
  await expect(field).toHaveValue(words);
  await expect(page.locator(".cards b", { hasText: "bold" })).toHaveCount(0);
  await desk.severity("1", 2).check({ force: true });
  await desk.saved();
  expect(await comments(page)).toContain(words);
});
