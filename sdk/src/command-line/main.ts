#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { isProblem, Onward, version } from '../index.ts';
import { callOperation } from './call-operation.ts';
import { checkKeys } from './check-keys.ts';
import { listen } from './listen.ts';
import { type Command, endWithReader, print, say, UsageError } from './terminal.ts';
import { trigger } from './trigger.ts';

const usage = `Usage: npx @onward/client COMMAND

  keys check                         whose keys these are, on which site, and whether they work
  call OPERATION [NAME=VALUE …]      any call of the API, such as: call getPractice ods_code=Z99001
       [--body JSON | --body @FILE] [--file FILE] [--if-match ETAG] [--idempotency-key KEY]
  listen --forward URL               sends each event to your webhook, signed as the site would sign it
       [--after ID] [--types TYPE,TYPE] [--secret SECRET]
  trigger STORY [--service ID]       refers a made-up person, and the test site plays a story, such as Completed
  --version                          the version of this client

SITE, REFRESH_TOKEN or ACCESS_TOKEN, and for listen WEBHOOK_SECRET, are read from the environment, where no list of
processes shows them.
`;

const commands: Readonly<Record<string, Command>> = {
  'keys check': checkKeys,
  call: callOperation,
  listen,
  trigger,
};

const options = {
  body: { type: 'string' },
  file: { type: 'string' },
  'if-match': { type: 'string' },
  'idempotency-key': { type: 'string' },
  forward: { type: 'string' },
  after: { type: 'string' },
  types: { type: 'string' },
  secret: { type: 'string' },
  service: { type: 'string' },
  help: { type: 'boolean' },
  version: { type: 'boolean' },
} as const;

async function run(): Promise<void> {
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  if (values.version) return print(version);
  const name = positionals[0] === 'keys' ? positionals.splice(0, 2).join(' ') : (positionals.shift() ?? '');
  const command = commands[name];
  if (values.help || !command) {
    if (!values.help && name) say(`There is no command ${name}.`);
    say(usage);
    process.exitCode = values.help ? 0 : 2;
    return;
  }
  await command(connect(), positionals, values as Record<string, string>);
}

function connect(): Onward {
  const { SITE: site, REFRESH_TOKEN: refreshToken, ACCESS_TOKEN: accessToken } = process.env;
  if (!site)
    throw new UsageError('Set SITE to the address of the site, such as https://test.onward.example.org');
  const auth = refreshToken ? { refreshToken } : accessToken ? { accessToken } : undefined;
  if (!auth)
    throw new UsageError('Set REFRESH_TOKEN or ACCESS_TOKEN: both are shown at /apikeys of the site.');
  try {
    return new Onward({ site, auth, userAgent: 'command-line' });
  } catch (error) {
    throw new UsageError(withVariables((error as Error).message));
  }
}

/** What the client says of an option, said of the variable that it came from. */
function withVariables(message: string): string {
  return message
    .replace('`site`', 'SITE')
    .replace('`auth.refreshToken`', 'REFRESH_TOKEN')
    .replace('`auth.accessToken`', 'ACCESS_TOKEN');
}

/** What the command line can say more about a refusal: its own option, or the referral that there is already. */
function hint(error: unknown): string {
  if (isProblem(error, 'version-missing'))
    return ` Here: --if-match '"1"', with the ETag that call getReferral prints.`;
  if (isProblem(error, 'possible-duplicate'))
    return ` It is ${error.problem.reference}: call getReferral id=${error.problem.referral_id}`;
  return '';
}

endWithReader();
try {
  await run();
} catch (error) {
  say(error instanceof Error ? `${error.message}${hint(error)}` : String(error));
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
