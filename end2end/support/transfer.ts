// What a visit costs on the wire.
import type { Page } from "@playwright/test";

export interface Transfer {
  requests: string[];
  bytes: number;
}

// Counts everything that `visit` loads, as sent: headers, compressed bodies.
export async function transferOf(page: Page, visit: () => Promise<unknown>): Promise<Transfer> {
  const session = await page.context().newCDPSession(page);
  const transfer: Transfer = { requests: [], bytes: 0 };
  session.on("Network.requestWillBeSent", ({ request }) => transfer.requests.push(request.url));
  session.on("Network.loadingFinished", ({ encodedDataLength }) => {
    transfer.bytes += encodedDataLength;
  });
  await session.send("Network.enable");
  await visit();
  await session.detach();
  return transfer;
}
