import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aReferral } from '../app/builders.ts';
import { backdateTroubles } from '../app/stored.ts';
import { until } from '../app/until.ts';
import { inDatabaseOf } from '../database/site-database.ts';
import { scriptedMailServer } from '../network/scripted-mail-server.ts';
import { addJob } from '../rehearsal/add-job.ts';
import { type Person, patient, signedIn } from '../rehearsal/people.ts';
import { setUpByCommands, setWays } from '../rehearsal/set-up.ts';
import { rehearsalStage } from '../rehearsal/stage.ts';
import { ways } from '../rehearsal/ways.ts';

// A live site whose password the exchange no longer takes, and from whose sender the mail server takes nothing.

let stage: Awaited<ReturnType<typeof rehearsalStage>>;
let refusing: Awaited<ReturnType<typeof scriptedMailServer>>;
let operator: Person;
let worker: Person;
beforeAll(async () => {
  stage = await rehearsalStage();
  refusing = await scriptedMailServer({ MAIL: '550 not this sender' });
  const as = (email: string, role: string) => ({ email, name: role, role, organisation: 'Council' });
  await setUpByCommands(stage, [as('olive@example.org', 'operator'), as('asha@example.org', 'referrer')]);
  operator = await signedIn(stage, 'olive@example.org');
  worker = await signedIn(stage, 'asha@example.org');
  await setWays(stage, operator);
});
afterAll(async () => {
  refusing.close();
  await stage.close();
});

let byEmail: string;
let byExchange: string;

const legsOf = async (referral: string) => {
  const { items } = (await worker.api.get(`/api/referrals/${referral}/deliveries`)).body;
  return items.map(({ status, detail }: Record<string, string>) => ({ status, detail }));
};

describe('a site that the mail server and the exchange refuse', () => {
  test('holds its letters, and says why on the operator’s page', async () => {
    await stage.startedAnew({
      ONWARD_SMTP_URL: `smtp://127.0.0.1:${refusing.port}`,
      ONWARD_MESH_PASSWORD_FILE: await stage.file('old.password', 'an old password'),
    });
    const refer = async (way: string) => {
      const { id, practice } = ways.find(({ service }) => service === way)!;
      const answer = await worker.api.post(
        '/api/referrals',
        aReferral(id, { patient, gp_practice: { ods_code: practice } }),
      );
      expect(answer.status, JSON.stringify(answer.body)).toBe(201);
      return answer.body.id;
    };
    [byEmail, byExchange] = [await refer('email'), await refer('mesh')];
    const wait = async () => [...(await legsOf(byEmail)), ...(await legsOf(byExchange))];
    await until(async () => (await wait()).every(({ detail }) => detail !== null));
    // Which of them were tried, and which held without a try, is a matter of who came first.
    expect((await wait()).map(({ status }) => status)).toEqual(['queued', 'queued', 'queued', 'queued']);
    const page = await operator.visit('/operator');
    expect(page.text).toContain('The mail server does not accept this site');
    expect(page.text).toContain('The NHS message exchange does not accept this site');
    const held = await operator.visit('/operator/deliveries?kind=held');
    expect(held.text).toContain('On hold');
    const one = held.page.querySelector('tbody a[href^="/operator/deliveries/"]')!.getAttribute('href')!;
    const { text } = await operator.visit(one);
    expect(text).toContain('It is sent automatically once this is put right.');
    expect(text).not.toContain('goes out once more');
  });

  test('sends them all by itself once it is accepted', async () => {
    await stage.startedAnew({
      ONWARD_SMTP_URL: stage.env.ONWARD_SMTP_URL!,
      ONWARD_MESH_PASSWORD_FILE: stage.env.ONWARD_MESH_PASSWORD_FILE!,
    });
    // Five minutes are over.
    await inDatabaseOf(stage.site, ({ db }) => backdateTroubles(db, 5));
    const sent = async () => [...(await legsOf(byEmail)), ...(await legsOf(byExchange))];
    await until(async () => {
      await addJob(stage.site, 'release-held');
      return (await sent()).every(({ status }) => status === 'sent');
    });
    expect(stage.exchange.exchange.messages).toHaveLength(2);
    expect((await operator.visit('/operator')).text).not.toContain('does not accept this site');
    expect((await operator.visit('/operator/deliveries')).text).toContain('There is nothing here');
  });
});
