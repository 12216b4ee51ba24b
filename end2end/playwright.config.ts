// Real Chromium against the release server. `cargo xtask test` tells where both are.
import { defineConfig } from "@playwright/test";

export default defineConfig({
  testDir: "tests",
  outputDir: "test-results",
  reporter: [["list"]],
  forbidOnly: !!process.env.CI,
  // A test that passes at the second attempt hides a defect.
  retries: 0,
  workers: 2,
  // For machines that are slow, not for pages that are: what is waited for comes within these or never.
  timeout: 240_000,
  expect: { timeout: 20_000 },
  use: {
    viewport: { width: 1366, height: 768 },
    trace: "retain-on-failure",
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      args: [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
