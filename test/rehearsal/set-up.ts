import { expect } from 'vitest';
import { runCommand } from '../app/run-program.ts';
import { until } from '../app/until.ts';
import { pageVisitor } from '../people/page-visitor.ts';
import { linksForAddresses } from './mails.ts';
import { type Person, password } from './people.ts';
import type { rehearsalStage } from './stage.ts';
import { libraryFile, practiceEmail, practicesFile, serviceEmail, ways } from './ways.ts';

type Stage = Awaited<ReturnType<typeof rehearsalStage>>;

/** What an operator types on the machine of the site, before anybody can sign in: accounts, library, practices. */
export async function setUpByCommands(
  stage: Stage,
  accounts: { email: string; name: string; role: string; organisation: string }[],
): Promise<void> {
  const run = (words: string[], input = '') => runCommand(words, stage.site.env, input);
  const imports = [
    run(['library', 'import', await stage.file('library.ndjson', libraryFile)]),
    run(['practices', 'import', await stage.file('practices.csv', practicesFile)]),
  ];
  // A provider is linked to an organisation of the library, which must be there.
  const ended = await Promise.all(imports);
  for (const given of accounts) {
    const words = Object.entries(given).flatMap(([name, value]) => [`--${name}`, value]);
    ended.push(
      await run(['account', 'create', ...words, '--api-access', '--password-stdin'], `${password}\n`),
    );
  }
  expect(ended.filter(({ code }) => code !== 0)).toEqual([]);
}

/** Sets the channels of each service and practice. @returns the secret that signs the calls to a service's system. */
export async function setWays(stage: Stage, operator: Person): Promise<string> {
  const port = new URL(stage.system.url).port;
  let secret = '';
  const practiceWays = { Z99001: ['document'], Z99002: ['email'], Z99003: ['mesh'] };
  const newAddresses = 3 * ways.length + Object.keys(practiceWays).length;
  for (const { service, id } of ways) {
    const inside = service === 'inside';
    const webhook = inside ? `https://inside.example.org:${port}/told` : stage.system.url;
    const settings = {
      accepts: true,
      channels: inside ? ['webhook', 'document'] : [service],
      addresses: { email: serviceEmail, mesh: 'WEIR001', webhook },
    };
    const url = `/api/library/services/${id}/referral_settings`;
    expect((await operator.api.put(url, settings)).status).toBe(200);
    const shown = await operator.api.post(`${url}/webhook_secret`);
    if (service === 'webhook') secret = shown.body.secret;
  }
  for (const [code, channels] of Object.entries(practiceWays)) {
    const settings = { channels, addresses: { email: practiceEmail } };
    expect((await operator.api.put(`/api/practices/${code}/channels`, settings)).status).toBe(200);
  }
  await confirmAddresses(stage, newAddresses);
  return secret;
}

/** Presses the link in each email that asks whether an address is right. */
async function confirmAddresses({ mail, url }: Stage, count: number): Promise<void> {
  await until(() => linksForAddresses(mail).length >= count);
  for (const path of linksForAddresses(mail)) {
    const reader = pageVisitor(url);
    const done = await reader.submit(await reader.visit(path), path, {});
    expect(done.text).toContain('Letters go there from now on');
  }
}
