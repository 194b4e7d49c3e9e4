import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../app/until.ts';
import { apiClient, sampleKeys } from '../people/api-client.ts';
import { readySite } from '../process/ready-site.ts';
import { environment, freePort, type SiteProcess } from '../process/site-process.ts';
import { compileForMono, forMono, hasMono } from './csharp.ts';
import { jackson } from './java.ts';
import { hasPython, readSamples } from './read-samples.ts';

// The samples of the guide work unchanged on a fresh test site. Those in C# are rewritten for Mono, where there is one.

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');
let site: SiteProcess;
let folder: string;
let keys: { access: string; refresh: string };
beforeAll(async () => {
  site = await readySite();
  folder = await mkdtemp(join(tmpdir(), 'onward-guide-'));
  keys = await sampleKeys(site, 'referrer');
});
afterAll(async () => {
  await site.remove();
  await rm(folder, { recursive: true });
});

const programs: Record<string, string[]> = {
  sh: ['sh', 'sample.sh'],
  js: [process.execPath, 'sample.mjs'],
  python: ['python3', 'sample.py'],
  java: ['java', '-cp', jackson ?? '', 'Sample.java'],
};

/** Runs a sample with a referrer's keys. @returns what it prints. @throws with what it complains of, if it fails. */
async function runSample(language: string, sample: string, more: Record<string, string> = {}) {
  const [program, ...args] = programs[language]!;
  await writeFile(join(folder, args.at(-1)!), sample);
  const env = {
    ...environment(),
    SITE: site.baseUrl,
    ACCESS_TOKEN: keys.access,
    REFRESH_TOKEN: keys.refresh,
    ...more,
  };
  return (await run(program!, args, { cwd: folder, env })).stdout;
}

const languages = hasPython ? ['sh', 'js', 'python'] : ['sh', 'js'];
const programming = languages.filter((each) => each !== 'sh');
const readAgain = /^read again: [A-Z0-9]{5}-[A-Z0-9]{5,6},? [a-z-]+$/m;
/** As after a restore. */
const unknownEvent = '01a1fc72-4ae1-7f02-b3c4-d5e6f7a8b9c0';

const shellOf = async (chapter: string) => (await readSamples(chapter, 'sh'))[0]!;
const last = <T>(list: T[]) => list.at(-1)!;

describe('the guide’s first referral', () => {
  it.each(languages)('is found, made and answered by the program in %s', async (language) => {
    const printed = await runSample(language, last(await readSamples('start', language)));
    expect(printed.trim()).toMatch(/^[A-Z0-9]{5}-[A-Z0-9]{5,6} is accepted\.$/);
  });

  it.each(languages)('prints what is wrong, and where, if %s is refused', async (language) => {
    const sample = last(await readSamples('start', language)).replaceAll('1947-03-09', '9 March 1947');
    const refused = await runSample(language, sample).catch((error: { stderr: string }) => error.stderr);
    expect(refused).toMatch(/\/patient\/birth_date\W+(message\W+)?must be a date such as 1950-12-31/);
  });

  it('begins with keys that work', async () => {
    const sample = (await shellOf('start')).replace(/^export .*\n/, '');
    expect(JSON.parse(await runSample('sh', sample))).toMatchObject({ site: expect.anything() });
  });
});

describe('the guide to keys', () => {
  it('gets the next access token by its call', async () => {
    const answer = JSON.parse(await runSample('sh', await shellOf('keys')));
    expect(answer).toMatchObject({
      access_token: expect.stringMatching(/^ona_/),
      refresh_token: keys.refresh,
    });
  });

  it.each(programming)('stays signed in in %s, also after its token was refused', async (language) => {
    const client = apiClient(site.baseUrl, keys.access);
    await client.post('/api/simulator/troubles', { kind: 'expire-token', operation_id: 'getTokenStatus' });
    expect(await runSample(language, last(await readSamples('keys', language)))).toContain(
      'referrer@example.org',
    );
  });
});

describe('the guide to finding services', () => {
  it('finds a service to refer to, and copies the library', async () => {
    const [search, copy] = await readSamples('finding-services', 'sh');
    const { contents } = JSON.parse(await runSample('sh', search!));
    expect(contents[0].distance_metres).toBeGreaterThanOrEqual(0);
    const [first] = (await runSample('sh', copy!)).split('\n');
    expect(JSON.parse(first!)).toMatchObject({ id: expect.any(String), name: expect.any(String) });
  });
});

/** An NHS number that is sent with several names until the site refuses it with any, for a day. */
const refusedNumber = '9990002002';
const refusal = /too many different names/;
const withNumber: Record<string, (sample: string) => string> = {
  js: (sample) =>
    sample.replace(
      'allow_duplicate: true }',
      `allow_duplicate: true, patient: { ...first.patient, nhs_number: '${refusedNumber}' } }`,
    ),
  python: (sample) =>
    sample.replace(/^key = /m, `referral["patient"]["nhs_number"] = "${refusedNumber}"\nkey = `),
  java: (sample) =>
    sample.replace(
      /^( *)var key = /m,
      `((ObjectNode) referral.get("patient")).put("nhs_number", "${refusedNumber}");\nvar key = `,
    ),
  csharp: (sample) =>
    sample.replace(/^var key = /m, `referral["patient"]["nhs_number"] = "${refusedNumber}";\nvar key = `),
};
async function sendNumberWithManyNames() {
  const client = apiClient(site.baseUrl, keys.access);
  const first = JSON.parse(await readFile(join(root, 'sample', 'first-referral.json'), 'utf8'));
  const names = ['Known', 'Ash', 'Birch', 'Cedar', 'Elm', 'Fir', 'Larch'];
  let status = 0;
  for (const family_name of names) {
    const patient = { ...first.patient, family_name, nhs_number: refusedNumber };
    status = (await client.post('/api/referrals', { ...first, patient, allow_duplicate: true })).status;
  }
  expect(status).toBe(429);
}

describe('the guide to referrals', () => {
  it.each(programming)('stops in %s where only a person can help', async (language) => {
    await sendNumberWithManyNames();
    const sample = (await readSamples('referrals', language))[0]!;
    const changed = withNumber[language]!(sample);
    expect(changed).toContain(refusedNumber);
    await expect(runSample(language, changed)).rejects.toThrow(refusal);
  });

  it('refers by its call, and accepts in each language', async () => {
    const [make, accept] = await readSamples('referrals', 'sh');
    const made = JSON.parse(await runSample('sh', make!));
    expect(made).toMatchObject({ status: 'requested' });
    const provider = await sampleKeys(site, 'provider');
    const client = apiClient(site.baseUrl, keys.access);
    const first = JSON.parse(await readFile(join(root, 'sample', 'first-referral.json'), 'utf8'));
    const programs = { sh: accept!, js: last(await readSamples('referrals', 'js')), python: '' };
    if (hasPython) programs.python = last(await readSamples('referrals', 'python'));
    for (const language of languages) {
      const another = await client.post('/api/referrals', {
        service_id: first.service_id,
        patient: { ...first.patient, given_name: language, nhs_number: undefined },
        reasons: first.reasons,
        consent: { referral: true, share_with_gp: false },
      });
      expect(another.status, JSON.stringify(another.body)).toBe(201);
      const printed = await runSample(language, programs[language as keyof typeof programs], {
        ACCESS_TOKEN: provider.access,
        ID: another.body.id,
      });
      expect(printed, language).toContain('accepted');
    }
  });
});

describe('the guide to events and webhooks', () => {
  it.each(languages)('reads events in %s', async (language) => {
    const [sample] = await readSamples('events-and-webhooks', language);
    expect(await runSample(language, sample!)).toContain('referral.');
  });

  it.each(programming)('begins again after a restore in %s', async (language) => {
    const [sample] = await readSamples('events-and-webhooks', language);
    const restored = sample!.replace(/^(let after|after = None)/m, (begin) =>
      begin.startsWith('let') ? `${begin} = '${unknownEvent}'` : `after = "${unknownEvent}"`,
    );
    expect(restored).toContain(unknownEvent);
    const printed = await runSample(language, restored);
    expect(printed).toContain('referral.');
    expect(printed).toMatch(readAgain);
  });

  it.each(programming)('goes on after a gap in the events in %s', async (language) => {
    const [sample] = await readSamples('events-and-webhooks', language);
    const types = async () => (await runSample(language, sample!)).match(/^\w+\.\w+ /gm)!.length;
    const before = await types();
    const client = apiClient(site.baseUrl, keys.access);
    expect((await client.post('/api/simulator/troubles', { kind: 'event-gap' })).status).toBe(201);
    // After the gap it reads once more what comes after the oldest.
    expect(await types()).toBeGreaterThan(before + 1);
  });

  it('adds a webhook by its call', async () => {
    const [, add] = await readSamples('events-and-webhooks', 'sh');
    expect(JSON.parse(await runSample('sh', add!))).toMatchObject({
      enabled: true,
      secret: expect.stringMatching(/^whsec_/),
    });
  });
});

describe('the guide to test sites', () => {
  it('gets a referral answered without a second person', async () => {
    const printed = await runSample('sh', await shellOf('test-site'));
    // Two calls print their answers one after the other.
    const referral = JSON.parse(printed.slice(printed.indexOf('}{"id"') + 1));
    expect(referral).toMatchObject({ status: 'in-progress', simulated: true });
  });

  it('answers a referral as the service', async () => {
    const [, answer] = await readSamples('test-site', 'sh');
    const { access } = await sampleKeys(site, 'provider');
    const accepted = JSON.parse(await runSample('sh', answer!, { PROVIDER_TOKEN: access }));
    expect(accepted).toMatchObject({ status: 'accepted', version: 2 });
  });

  it('asks for a trouble by its call', async () => {
    const [, , trouble] = await readSamples('test-site', 'sh');
    expect(JSON.parse(await runSample('sh', trouble!))).toMatchObject({ kind: 'lose-answer' });
  });
});

describe('the guide’s programs in each language', () => {
  const firstOf = async (chapter: string, language: string) => (await readSamples(chapter, language))[0]!;

  it.each(programming)('find services in %s', async (language) => {
    expect(await runSample(language, await firstOf('finding-services', language))).toMatch(
      /^[\da-f-]{36} \S/m,
    );
  });

  it.each(programming)('arm a trouble, and refer once though answers are lost, in %s', async (language) => {
    const client = apiClient(site.baseUrl, keys.access);
    const made = async () => (await client.get('/api/referrals?limit=200')).body.items.length;
    const before = await made();
    expect(await runSample(language, await firstOf('test-site', language))).toMatch(/^lose-answer waits as /);
    const printed = await runSample(language, await firstOf('referrals', language));
    expect(printed).toMatch(/^[A-Z0-9]{5}-[A-Z0-9]{5,6}\s*$/);
    expect(await made()).toBe(before + 1);
  });

  it('sign a user in, and refuse a token with another state', async () => {
    const port = await freePort();
    const back = `http://localhost:${port}/back`;
    await writeFile(join(folder, 'app.mjs'), await firstOf('users-sign-in', 'js'));
    const app = spawn(process.execPath, [join(folder, 'app.mjs')], {
      env: { ...environment(), SITE: site.baseUrl, PORT: String(port) },
    });
    try {
      const open = (path: string, cookie = '') =>
        fetch(`http://localhost:${port}${path}`, { redirect: 'manual', headers: { cookie } });
      await until(() =>
        open('/').then(
          () => true,
          () => false,
        ),
      );
      const away = await open('/in');
      const asked = new URL(away.headers.get('location')!);
      expect([asked.origin, asked.pathname]).toEqual([new URL(site.baseUrl).origin, '/apilogin']);
      const returnUrl = new URL(asked.searchParams.get('returnUrl')!);
      expect(`${returnUrl.origin}${returnUrl.pathname}`).toBe(back);
      const stateCookie = away.headers.get('set-cookie')!.split(';')[0]!;
      const withToken = `/back?state=${returnUrl.searchParams.get('state')}&token=${keys.access}`;
      expect((await open(withToken, 'state=another')).status).toBe(403);
      const signedIn = await open(withToken, stateCookie);
      expect([signedIn.status, signedIn.headers.get('location')]).toEqual([303, '/']);
      const session = signedIn.headers.get('set-cookie')!.split(';')[0]!;
      expect(await (await open('/', session)).text()).toBe('Hello Rashid Referrer');
    } finally {
      app.kill();
    }
  });
});

const javaOf = async (chapter: string) => (await readSamples(chapter, 'java'))[0]!;

describe.runIf(jackson !== undefined)(
  'the guide’s samples in Java, where there is a JDK with Jackson',
  () => {
    it('make the first referral, and print what is wrong with one', async () => {
      const first = await javaOf('start');
      expect(await runSample('java', first)).toMatch(/^[A-Z0-9]{5}-[A-Z0-9]{5,6} is accepted\.\s*$/);
      const refused = runSample('java', first.replace('1947-03-09', '9 March 1947'));
      await expect(refused).rejects.toThrow('/patient/birth_date must be a date such as 1950-12-31');
    });

    it('stay signed in, also after the token was refused', async () => {
      const client = apiClient(site.baseUrl, keys.access);
      await client.post('/api/simulator/troubles', { kind: 'expire-token', operation_id: 'getTokenStatus' });
      expect(await runSample('java', await javaOf('keys'))).toContain('referrer@example.org');
    });

    it('find services, make a referral and arm a trouble', async () => {
      expect(await runSample('java', await javaOf('finding-services'))).toMatch(/^[\da-f-]{36} \S/m);
      expect(await runSample('java', await javaOf('referrals'))).toMatch(/^[A-Z0-9]{5}-[A-Z0-9]{5,6}\s*$/);
      expect(await runSample('java', await javaOf('test-site'))).toMatch(/^lose-answer waits as /);
      await apiClient(site.baseUrl, keys.access).delete('/api/simulator/troubles');
    });

    it('stop where only a person can help', async () => {
      await sendNumberWithManyNames();
      await expect(runSample('java', withNumber.java!(await javaOf('referrals')))).rejects.toThrow(refusal);
    });

    it('read the events, also after a restore', async () => {
      const program = await javaOf('events-and-webhooks');
      expect(await runSample('java', program)).toContain('referral.');
      const restored = program.replace('String after = null', `String after = "${unknownEvent}"`);
      const printed = await runSample('java', restored);
      expect(printed).toContain('referral.');
      expect(printed).toMatch(readAgain);
    });

    it('accept a referral', async () => {
      const provider = await sampleKeys(site, 'provider');
      const first = JSON.parse(await readFile(join(root, 'sample', 'first-referral.json'), 'utf8'));
      const made = await apiClient(site.baseUrl, keys.access).post('/api/referrals', {
        service_id: first.service_id,
        patient: { ...first.patient, given_name: 'Java', nhs_number: undefined },
        reasons: first.reasons,
        consent: { referral: true, share_with_gp: false },
      });
      expect(made.status, JSON.stringify(made.body)).toBe(201);
      const program = last(await readSamples('referrals', 'java'));
      const more = { ACCESS_TOKEN: provider.access, ID: made.body.id };
      expect((await runSample('java', program, more)).trim()).toBe('accepted');
    });
  },
);

it.runIf(jackson === undefined)('skips Java: this machine has no JDK 17 with Jackson', ({ skip }) => {
  skip();
});

describe.runIf(hasMono)('the guide’s samples in C#, where there is Mono', () => {
  let onward: string;
  beforeAll(async () => {
    onward = join(folder, 'Onward.cs');
    await writeFile(onward, forMono((await readSamples('keys', 'csharp'))[0]!));
  });

  async function compile(sample: string, more: readonly string[] = [onward]): Promise<string> {
    const program = join(folder, 'Program.exe');
    await writeFile(join(folder, 'Program.cs'), forMono(sample));
    compileForMono(program, [join(folder, 'Program.cs'), ...more]);
    return program;
  }
  async function runInCSharp(sample: string, more: Record<string, string> = {}, files?: readonly string[]) {
    const env = { ...environment(), SITE: site.baseUrl, REFRESH_TOKEN: keys.refresh, ...more };
    const program = await compile(sample, files);
    return (await run('mono', [program], { cwd: folder, env })).stdout.trim();
  }
  const csharpOf = async (chapter: string) => (await readSamples(chapter, 'csharp'))[0]!;

  it('make the first referral twice, and print what is wrong', async () => {
    const first = await csharpOf('start');
    for (let times = 0; times < 2; times += 1)
      expect(await runInCSharp(first, {}, [])).toMatch(/^[A-Z0-9]{5}-[A-Z0-9]{5,6} is accepted\.$/);
    const wrong = runInCSharp(first.replace('1947-03-09', '9 March 1947'), {}, []);
    await expect(wrong).rejects.toThrow('/patient/birth_date must be a date such as 1950-12-31');
  });

  it('stay signed in after all tokens ended, and find services', async () => {
    const client = apiClient(site.baseUrl, keys.access);
    await client.post('/api/simulator/troubles', { kind: 'expire-token', operation_id: 'searchServices' });
    expect(await runInCSharp(await csharpOf('finding-services'))).toMatch(/^[\da-f-]{36} \S/m);
    const [, status] = await readSamples('keys', 'csharp');
    expect(await runInCSharp(status!)).toContain('referrer@example.org');
  });

  it('arm a trouble, refer once though answers are lost', async () => {
    const client = apiClient(site.baseUrl, keys.access);
    const made = async () => (await client.get('/api/referrals?limit=200')).body.items.length;
    const before = await made();
    expect(await runInCSharp(await csharpOf('test-site'))).toMatch(/^lose-answer waits as /);
    expect(await runInCSharp(await csharpOf('referrals'))).toMatch(/^[A-Z0-9]{5}-[A-Z0-9]{5,6}$/);
    expect(await made()).toBe(before + 1);
    const events = await csharpOf('events-and-webhooks');
    expect(await runInCSharp(events)).toContain('referral.');
    const restored = events.replace('string? after = null', `string? after = "${unknownEvent}"`);
    expect(await runInCSharp(restored)).toMatch(readAgain);
  });

  it('stop where only a person can help', async () => {
    await sendNumberWithManyNames();
    const changed = withNumber.csharp!(await csharpOf('referrals'));
    expect(changed).toContain(refusedNumber);
    await expect(runInCSharp(changed)).rejects.toThrow(refusal);
  });

  it('accept a referral', async () => {
    const provider = await sampleKeys(site, 'provider');
    const first = JSON.parse(await readFile(join(root, 'sample', 'first-referral.json'), 'utf8'));
    const made = await apiClient(site.baseUrl, keys.access).post('/api/referrals', {
      ...first,
      patient: { ...first.patient, given_name: 'Sharon' },
    });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const more = { REFRESH_TOKEN: provider.refresh, ID: made.body.id };
    expect(await runInCSharp(last(await readSamples('referrals', 'csharp')), more)).toBe('accepted');
  });

  it('receive an event once, and refuse an unsigned one', async () => {
    const port = await freePort();
    const secret = `whsec_${Buffer.from('a secret of thirty-two octets...').toString('base64')}`;
    const program = await compile(last(await readSamples('events-and-webhooks', 'csharp')), []);
    const receiver = spawn('mono', [program], {
      cwd: folder,
      env: { ...environment(), PORT: String(port), SECRET: secret },
    });
    try {
      const body = JSON.stringify({ type: 'referral.accepted', note: 'Größe' });
      const at = new Date();
      const signature = new Webhook(secret).sign('one', at, body);
      const send = async (signed: string) => {
        const headers = {
          'webhook-id': 'one',
          'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
          'webhook-signature': signed,
        };
        return (await fetch(`http://localhost:${port}/told`, { method: 'POST', headers, body })).status;
      };
      await until(() =>
        send('v1,wrong').then(
          () => true,
          () => false,
        ),
      );
      expect(await send('v1,wrong')).toBe(400);
      expect([await send(signature), await send(signature)]).toEqual([204, 204]);
      expect(await readFile(join(folder, 'events.jsonl'), 'utf8')).toBe(`${body}\n`);
    } finally {
      receiver.kill();
    }
  });
});

it.runIf(!hasMono)('skips the samples in C#: this machine has no Mono', ({ skip }) => {
  skip();
});
