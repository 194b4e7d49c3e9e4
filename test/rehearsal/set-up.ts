import { expect } from 'vitest';
import { until } from '../app/until.ts';
import { pageVisitor } from '../people/page-visitor.ts';
import { runCommand } from '../process/run-program.ts';
import { channelPairs, libraryFile, practiceEmail, practicesFile, serviceEmail } from './channel-pairs.ts';
import type { rehearsalFixture } from './fixture.ts';
import { linksForAddresses } from './mails.ts';
import { type Person, password } from './people.ts';

type Fixture = Awaited<ReturnType<typeof rehearsalFixture>>;
type Channels = { channels: string[]; addresses: { email?: string; mesh?: string; webhook?: string } };

/** What an operator types on the machine of the site, before anybody can sign in: accounts, library, practices. */
export async function setUpByCommands(
  fixture: Fixture,
  accounts: { email: string; name: string; role: string; organisation: string }[],
): Promise<void> {
  const run = (words: string[], input = '') => runCommand(words, fixture.site.env, input);
  const imports = [
    run(['library', 'import', await fixture.file('library.ndjson', libraryFile)]),
    run(['practices', 'import', await fixture.file('practices.csv', practicesFile)]),
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
export async function setChannels(fixture: Fixture, operator: Person): Promise<string> {
  const port = new URL(fixture.system.url).port;
  const serviceChannels: Record<string, Channels> = {
    inbox: { channels: ['inbox'], addresses: {} },
    email: { channels: ['email'], addresses: { email: serviceEmail } },
    webhook: { channels: ['webhook'], addresses: { webhook: fixture.system.url } },
    document: { channels: ['document'], addresses: {} },
    mesh: { channels: ['mesh'], addresses: { mesh: 'WEIR001' } },
    inside: {
      channels: ['webhook', 'document'],
      addresses: { webhook: `https://inside.example.org:${port}/told` },
    },
  };
  const practiceChannels: Record<string, Channels> = {
    Z99001: { channels: ['document'], addresses: {} },
    Z99002: { channels: ['email'], addresses: { email: practiceEmail } },
    Z99003: { channels: ['mesh'], addresses: {} },
  };
  let secret = '';
  for (const { service, id } of channelPairs) {
    const url = `/api/library/services/${id}/referral_settings`;
    const settings = { accepts: true, ...serviceChannels[service]! };
    expect((await operator.api.put(url, settings)).status).toBe(200);
    if (!settings.addresses.webhook) continue;
    const shown = await operator.api.post(`${url}/webhook_secret`);
    if (service === 'webhook') secret = shown.body.secret;
  }
  for (const [code, channels] of Object.entries(practiceChannels))
    expect((await operator.api.put(`/api/practices/${code}/channels`, channels)).status).toBe(200);
  const all = [...Object.values(serviceChannels), ...Object.values(practiceChannels)];
  await confirmAddresses(fixture, all.flatMap(({ addresses }) => Object.keys(addresses)).length);
  return secret;
}

/** Presses the link in each email that asks whether an address is right. */
async function confirmAddresses({ mail, url }: Fixture, count: number): Promise<void> {
  await until(() => linksForAddresses(mail).length >= count);
  for (const path of linksForAddresses(mail)) {
    const reader = pageVisitor(url);
    const done = await reader.submit(await reader.visit(path), path, {});
    expect(done.text).toContain('We use it from now on');
  }
}
