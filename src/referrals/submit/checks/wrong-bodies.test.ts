import fc from 'fast-check';
import type { TSchema } from 'typebox';
import { Check } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  aPractice,
  aService,
  aTokenHolder,
  type ServiceOfOrganisation,
} from '../../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../../test/app/make-app.ts';
import { runs } from '../../../../test/app/runs.ts';
import {
  type Path,
  type WrongField,
  withWrongFields,
  wrongValues,
} from '../../../../test/app/wrong-fields.ts';
import { newReferralSchema } from '../../model/schemas/new-referral.ts';

// Every field of a referral wrong, alone and in pairs, as the schema itself lists them.

type Schema = { type?: string; properties?: Record<string, TSchema>; items?: TSchema; required?: string[] };

/** Where each field stands: `['patient', 'address', 'lines', 0]`. */
function pathsIn(schema: Schema, at: Path = []): Path[] {
  const below = schema.items
    ? pathsIn(schema.items as Schema, [...at, 0])
    : Object.entries(schema.properties ?? {}).flatMap(([name, part]) =>
        pathsIn(part as Schema, [...at, name]),
      );
  return at.length === 0 ? below : [at, ...below];
}
const paths = pathsIn(newReferralSchema as Schema);
const schemaAt = (path: Path) =>
  path.reduce<Schema>(
    (schema, name) => (typeof name === 'number' ? schema.items : schema.properties?.[name]) as Schema,
    newReferralSchema as Schema,
  );

/** Every field filled in. */
function whole(place: ServiceOfOrganisation) {
  return {
    service_id: place.serviceId,
    urgency: 'urgent',
    patient: {
      nhs_number: '9990000018',
      title: 'Mrs',
      given_name: 'Margaret',
      family_name: 'Example',
      birth_date: '1947-03-09',
      gender: 'female',
      ethnicity: 'White British',
      ethnic_category: 'A',
      address: { lines: ['4 Mill Lane'], postcode: 'ZT1 3GH' },
      telephone: '01632 960123',
      email: 'margaret@example.org',
      preferred_contact: 'telephone',
      communication_needs: { interpreter: 'Polish', format: 'large print' },
      carer: { name: 'Jan', relationship: 'son', telephone: '01632 960124', share_with_gp: false },
    },
    referrer: { on_behalf_of: 'Dr Hale' },
    gp_practice: { ods_code: 'Z99001' },
    reasons: [{ text: 'She is lonely.', code: '105412007' }],
    needs: ['social-connection'],
    goals: [{ text: 'To sing again', need: 'social-connection', result: 'partly' }],
    reasonable_adjustments: ['hearing'],
    episode: 'first',
    source: 'self',
    method: 'telephone',
    what_matters: 'To sing.',
    safety_notes: 'A dog.',
    support_offered: 'A leaflet.',
    risk: 'yes',
    risk_acted_on: { who_was_told: 'The duty social worker', when: '2026-11-20T10:00:00Z' },
    contact: {
      channel: 'telephone',
      safe: 'only_at',
      only_at: 'weekdays before three',
      voicemail: false,
      who_must_not_know: 'her husband',
    },
    do_not_show_online: true,
    person_page: { send: false },
    agreement: {
      basis: 'best_interests',
      judged_by: 'Dr Hale',
      when: '2026-11-20T10:00:00Z',
      decided_by: 'Dr Hale',
      consulted: 'her sister',
    },
    safety_notes_for_practice: true,
    gp_actions: [
      { text: 'Check her hearing.', by_date: '2099-12-31', asked_by: 'Jo, 01632 960125', patient_told: true },
    ],
    fit_override: { reason: 'The service said on the telephone that she may come.', misfits: ['age'] },
    mismatch_override: { reason: 'She married in May.' },
    namesake_override: { reason: 'She was born in another year.' },
    contact_override: { reason: 'He has moved out, she says.' },
    urgency_override: { reason: 'The crisis team saw her today.' },
    death_override: { reason: 'Her cousin, who has the same name.' },
    made_at: '2026-11-20T10:00:00Z',
    consent: {
      referral: true,
      share_with_gp: true,
      wording: 'Do you agree that we refer you?',
      recorded_by: 'Asha',
      recorded_at: '2026-11-20T10:00:00Z',
    },
    allow_duplicate: true,
    status: 'requested',
  };
}

let site: TestApp;
let place: ServiceOfOrganisation;
let headers: Record<string, string>;
beforeAll(async () => {
  site = await makeApp();
  place = await aService(site.deps);
  await aPractice(site.deps);
  ({ headers } = await aTokenHolder(site.deps));
});
afterAll(() => site.close());

async function send(payload: object) {
  const answer = await site.app.inject({ method: 'POST', url: '/api/referrals', headers, payload });
  return { status: answer.statusCode, body: answer.json() };
}

const pointerOf = (path: Path) => `/${path.join('/')}`;
/** True, which the list calls wrong, is right where the schema asks for a yes or no. */
const yesOrNo = paths.filter((path) => Check(schemaAt(path) as TSchema, true)).map(pointerOf);
const fits = ({ path, value }: WrongField) => value === true && yesOrNo.includes(pointerOf(path));
const aWrong = fc
  .record({ path: fc.constantFrom(...paths), value: fc.constantFrom(...wrongValues) })
  .filter((wrong) => !fits(wrong));

async function expectRefused(wrongs: WrongField[]): Promise<void> {
  const { status, body } = await send(withWrongFields(whole(place), wrongs));
  const name = JSON.stringify(wrongs).slice(0, 300);
  expect([400, 422], name).toContain(status);
  const named = body.errors.map(({ pointer }: { pointer: string }) => pointer) as string[];
  // One wrong value may be inside another, or be checked only when the rest is right.
  const isNamed = ({ path }: WrongField) => named.some((at) => `${at}/`.startsWith(`${pointerOf(path)}/`));
  expect(wrongs.some(isNamed), `${name} ${named}`).toBe(true);
}

describe('the body of a new referral', () => {
  it('is taken with every field that the schema has', async () => {
    expect((await send(whole(place))).status).toBe(201);
    const filled = (value: unknown, at: Path = []): Path[] => {
      const below =
        value !== null && typeof value === 'object'
          ? Object.entries(value).flatMap(([name, part]) =>
              filled(part, [...at, Array.isArray(value) ? Number(name) : name]),
            )
          : [];
      return at.length === 0 ? below : [at, ...below];
    };
    const missing = paths
      .map(pointerOf)
      .filter((each) => !filled(whole(place)).map(pointerOf).includes(each));
    expect(missing).toEqual(['/reroutes']);
  });

  it('is refused for each wrong field, which is named', async () => {
    for (const [number, path] of paths.entries()) {
      for (const value of [null, wrongValues[number % wrongValues.length]])
        if (!fits({ path, value })) await expectRefused([{ path, value }]);
    }
  });

  it.each([
    ['zero-width space', 'Exam\u200bple'],
    ['filler', '\u3164'],
    ['joiner alone', '\u200d'],
    ['control character', 'Exam\u0007ple'],
    ['reversed direction', '\u202eelpmaxE'],
  ])('is refused with a name that has a %s', async (_, name) => {
    await expectRefused([{ path: ['patient', 'family_name'], value: name }]);
    await expectRefused([{ path: ['patient', 'given_name'], value: name }]);
  });

  it('is taken with a name that needs joiners', async () => {
    const persian = 'محمد\u200cرضا';
    const body = whole(place);
    const patient = { ...body.patient, family_name: persian, nhs_number: '9990000042' };
    const { status, body: made } = await send({ ...body, patient });
    expect([status, made.patient?.family_name]).toEqual([201, persian]);
  });

  it('is refused for two wrong fields at once', async () => {
    await fc.assert(
      fc.asyncProperty(aWrong, aWrong, (one, other) => expectRefused([one, other])),
      { numRuns: runs(100) },
    );
  });
});
