import { until } from '../app/until.ts';
import type { MailServer } from '../network/mail-server.ts';

/** Waits for an email to somebody, after those that were there before. */
export async function nextMail(
  { received }: MailServer,
  to: string,
  before = 0,
): Promise<{ raw: string; secure: boolean; path: string }> {
  const theirs = () => received.filter((each) => each.to.includes(to) && !isAboutAddresses(each.raw));
  await until(() => theirs().length > before);
  const { raw, secure } = theirs()[before]!;
  return { raw, secure, path: pathIn(raw) };
}

/** Of the emails that a changed address makes, which come at any time. In a subject with a dash, spaces are underscores. */
const isAboutAddresses = (raw: string) =>
  /^Subject: .*where[ _]letters[ _]about[ _]referrals[ _]go/im.test(raw);

/** The links that confirm new addresses, of all emails so far. */
export function linksForAddresses({ received }: Pick<MailServer, 'received'>): string[] {
  const readable = received.map(({ raw }) => raw.replaceAll('=\r\n', '').replaceAll('=3D', '='));
  const links = readable.flatMap((text) => text.match(/https:\/\/\S+\/delivery-address\/\S+/g) ?? []);
  return [...new Set(links.map((link) => new URL(link).pathname))];
}

/** Where the link of an email leads that is for its reader alone. */
function pathIn(raw: string): string {
  const readable = raw.replaceAll('=\r\n', '').replaceAll('=3D', '=');
  const [link] = /https:\/\/\S+\/(invitation|confirm|answer)\/\S+/.exec(readable) ?? [];
  if (!link) throw new Error('the email has no link');
  return new URL(link).pathname;
}
