import type { signedInBrowser } from '../people/signed-in-browser.ts';

type Browser = Awaited<ReturnType<typeof signedInBrowser>>;

/** The ticks of the page: what was recorded after the backup is recorded again. */
export const everythingRecorded = ['agreements', 'deaths', 'corrections', 'pages', 'erasures', 'accounts'];

/**
 * Confirms the check after a restore as somebody who sends all that waits, unless `chosen` says otherwise. `meanwhile` happens while the page
 * is open.
 */
export async function confirmCheck(
  operator: Browser,
  chosen: Record<string, string | string[]> = {},
  meanwhile?: () => Promise<unknown>,
) {
  const { page } = await operator.open('/operator/check-first');
  const fields: Record<string, string | string[]> = { recorded: everythingRecorded };
  for (const input of page.querySelectorAll('main form input')) {
    const name = input.getAttribute('name')!;
    if (input.getAttribute('type') === 'hidden') fields[name] = input.getAttribute('value')!;
    if (/^(all|mails)-/.test(name)) fields[name] = 'send';
  }
  await meanwhile?.();
  return operator.send('/operator/check-first/confirm', { ...fields, ...chosen });
}
