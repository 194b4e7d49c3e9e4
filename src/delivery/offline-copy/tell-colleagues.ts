import { listColleagues } from '../../accounts/index.ts';
import type { Trx } from '../../platform/database/index.ts';
import { momentInWords } from '../../platform/html/index.ts';
import { mailPeople } from '../../platform/mail/index.ts';
import type { Platform } from '../../platform/platform.ts';

/** Tells the people of an organisation what became of its copy, so that they notice one that they do not know of. */
export async function tellColleagues(
  trx: Trx,
  deps: Platform,
  organisationId: string,
  { what, whatToDo }: { what: string; whatToDo: string },
): Promise<void> {
  const colleagues = await listColleagues(trx, organisationId);
  await mailPeople(trx, deps, 'site', {
    to: colleagues.map(({ email }) => email),
    subject: 'The copy for days without the site',
    paragraphs: [
      `${what}.`,
      `When: ${momentInWords(deps.clock.now())}`,
      `${whatToDo}:\n\n${deps.settings.baseUrl}/offline-copy`,
    ],
  });
}
