import { listColleagues } from '../../accounts/index.ts';
import type { Trx } from '../../platform/database/index.ts';
import { momentInWords } from '../../platform/html/index.ts';
import { queueMail } from '../../platform/mail/index.ts';
import type { Platform } from '../../platform/platform.ts';

/** Tells the people of an organisation what became of its copy, so that they notice one that they do not know of. */
export async function tellColleagues(
  trx: Trx,
  deps: Platform,
  organisationId: string,
  { what, ifNot }: { what: string; ifNot: string },
): Promise<void> {
  const { siteName, baseUrl } = deps.settings;
  const text = [
    `${what}.`,
    `When: ${momentInWords(deps.clock.now())}`,
    `${ifNot}:\n\n${baseUrl}/offline-copy`,
  ].join('\n\n');
  for (const { email } of await listColleagues(trx, organisationId))
    await queueMail(trx, deps, {
      to: email,
      subject: `The copy for days without the site – ${siteName}`,
      text: `${text}\n`,
    });
}
