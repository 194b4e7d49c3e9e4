import { describe, expect, it } from 'vitest';
import { newReferralSchema } from '../../src/referrals/model/schemas/new-referral.ts';
import { referralSchema } from '../../src/referrals/model/schemas/referral.ts';
import { referralTexts } from '../../src/referrals/model/text-rules.ts';
import { aTokenHolder } from '../app/builders.ts';
import { markSensitive } from '../library/stored.ts';
import { signedInBrowser } from '../people/signed-in-browser.ts';
import { referralLifeFixture } from '../referrals/life-fixture.ts';

// Each text of a referral is declared in src/referrals/model/text-rules.ts: whether somebody may read it who may not know the service, and
// whether words of a crisis are looked for in it. A new field of the API without a line there fails here.

type Schema = {
  type?: string | string[];
  format?: string;
  enum?: unknown;
  const?: unknown;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
};

/** The places of all texts that a schema takes, without moments, ids of the site and lists of values. */
function textsIn(schema: Schema, at = ''): string[] {
  if (schema.anyOf) return schema.anyOf.flatMap((each) => textsIn(each, at));
  if (schema.items) return textsIn(schema.items, `${at}[]`);
  if (schema.properties)
    return Object.entries(schema.properties).flatMap(([name, part]) =>
      textsIn(part, at === '' ? name : `${at}.${name}`),
    );
  const isText = [schema.type].flat().includes('string') && !schema.enum && schema.const === undefined;
  return isText && !['date-time', 'uuid'].includes(schema.format ?? '') ? [at] : [];
}

/** Made by the site, or of its status, which `maskedFields` and `presentReferral` hide. */
const ofTheState =
  /^(id|reference|service_id|reroutes|rerouted_to|next_date|expected_date)$|^(service|status_reason|seen|seen_to|deliveries|prompts|possible_duplicates|possible_twins|contact_elsewhere|death_reported|gp_practice|outcome|to_confirm)\b/;
/** Its own id, and days. */
const noWords = /^suggested_service\.id$|\.id$|\.by_date$|^gp_actions\[\]\.done_by_hand\./;

const declared = Object.keys(referralTexts);
const inApi = [...textsIn(newReferralSchema as Schema), ...textsIn(referralSchema as Schema)].filter(
  (path) => !ofTheState.test(path) && !noWords.test(path),
);

describe('the texts of a referral', () => {
  it('are all declared, and no others', () => {
    expect([...new Set(inApi)].filter((path) => !declared.includes(path))).toEqual([]);
    expect(declared.filter((path) => !inApi.includes(path))).toEqual([]);
  });
});

const { site, place, referrer, colleague, provider, get, post, aPerson } = await referralLifeFixture();
await markSensitive(site.deps.db, place.serviceId);
const surgery = { name: 'Infirmary Lane Surgery', odsCode: 'Z99001' };

/** Every text that somebody types has a mark of its own. */
let marks = 0;
const marked = new Map<string, string>();
function mark(path: string): string {
  marks += 1;
  const text = `Mark ${marks}m of the refuge`;
  marked.set(text, path);
  return text;
}

function everyText() {
  const person = aPerson();
  return {
    ...person,
    patient: {
      ...person.patient,
      preferred_contact: mark('patient.preferred_contact'),
      carer: { name: mark('patient.carer.name'), relationship: mark('patient.carer.relationship') },
    },
    referrer: { on_behalf_of: mark('referrer.on_behalf_of') },
    reasons: [{ text: mark('reasons[].text') }],
    goals: [{ text: mark('goals[].text') }],
    what_matters: mark('what_matters'),
    safety_notes: mark('safety_notes'),
    support_offered: mark('support_offered'),
    gp_actions: [{ text: mark('gp_actions[].text'), asked_by: mark('gp_actions[].asked_by') }],
    risk: 'yes',
    risk_acted_on: { who_was_told: mark('risk_acted_on.who_was_told'), when: '2026-11-20T10:00:00Z' },
    contact: {
      safe: 'only_at',
      channel: mark('contact.channel'),
      only_at: mark('contact.only_at'),
      who_must_not_know: mark('contact.who_must_not_know'),
    },
    agreement: {
      basis: 'best_interests',
      judged_by: mark('agreement.judged_by'),
      decided_by: mark('agreement.decided_by'),
      consulted: mark('agreement.consulted'),
    },
    fit_override: { reason: mark('fit_override.reason') },
    mismatch_override: { reason: mark('mismatch_override.reason') },
    namesake_override: { reason: mark('namesake_override.reason') },
    contact_override: { reason: mark('contact_override.reason') },
    urgency_override: { reason: mark('urgency_override.reason') },
    death_override: { reason: mark('death_override.reason') },
    consent: {
      referral: true,
      share_with_gp: false,
      wording: mark('consent.wording'),
      recorded_by: mark('consent.recorded_by'),
    },
  };
}

/** Where a colleague who gave no reason read which of the marks: in an answer, a list, a search, a page, the history or the case file. */
async function readByColleague(id: string, { patient }: ReturnType<typeof everyText>) {
  const browser = await signedInBrowser(site, { organisation: surgery });
  const { family_name, birth_date } = patient;
  const answers = [
    await get(colleague, `/${id}`),
    await get(colleague, '?limit=200'),
    await post(colleague, '/search', { family_name, birth_date }),
    await get(colleague, `/${id}/history`),
  ];
  const pages = [await browser.open(`/referrals/${id}`), await browser.open(`/referrals/${id}/agreement`)];
  const seen = [...answers.map(({ body }) => JSON.stringify(body)), ...pages.map(({ text }) => text)].join();
  return [...marked].filter(([text]) => seen.includes(text)).map(([, path]) => path);
}

const isShown = (path: string) => referralTexts[path]?.forOthers === 'shown';

describe('what a colleague who gave no reason reads of a sensitive referral', () => {
  it('is no text that is declared to tell, sent or as a draft', async () => {
    for (const status of ['requested', 'draft']) {
      marked.clear();
      const given = everyText();
      const { status: code, body: made } = await post(referrer, '', { ...given, status });
      expect([code, made.errors]).toEqual([201, undefined]);
      const read = await readByColleague(made.id, given);
      expect(
        read.filter((path) => !isShown(path)),
        status,
      ).toEqual([]);
    }
  });

  it('has none of the words with which the agreement was changed', async () => {
    marked.clear();
    const given = everyText();
    const { body: made } = await post(referrer, '', given);
    const changed = await post(referrer, `/${made.id}/agreement-changed`, {
      share_with_gp: 'codes_only',
      wording: mark('consent.wording'),
      reason: mark('consent.reason'),
      said_by: {
        basis: 'best_interests',
        decided_by: mark('consent.said_by.decided_by'),
        consulted: mark('consent.said_by.consulted'),
      },
    });
    expect(changed.status).toBe(200);
    const read = await readByColleague(made.id, given);
    expect(read.filter((path) => !isShown(path))).toEqual([]);
    await post(provider, `/${made.id}/reject`, { status_reason: { code: 'no-capacity', text: 'Full.' } }, 2);
    expect((await readByColleague(made.id, given)).filter((path) => !isShown(path))).toEqual([]);
  });

  it('is all of it once they have given a reason', async () => {
    marked.clear();
    const { body: made } = await post(referrer, '', everyText());
    const reader = await aTokenHolder(site.deps, { organisation: surgery });
    await post(reader, `/${made.id}/open`, { reason: 'I cover for a colleague this week.' });
    const seen = JSON.stringify((await get(reader, `/${made.id}`)).body);
    expect([...marked].filter(([text]) => !seen.includes(text))).toEqual([]);
  });
});
