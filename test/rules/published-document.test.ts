import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';

// Clients were written against the document of version e7dc646, the last before the code was restructured. What they rely
// on is still there: calls, parameters, fields, types, codes and statuses. Descriptions and examples may become better.

type Json = { [name: string]: unknown };

const before = JSON.parse(
  gunzipSync(readFileSync(join(import.meta.dirname, 'openapi-e7dc646.json.gz'))).toString(),
) as Json;
const published = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', '..', 'openapi.json'), 'utf8'),
) as Json;

const partOf = (document: Json, way: string): unknown =>
  way
    .split('/')
    .slice(1)
    .reduce((part: any, name) => part[name], document);
/** Names of the old document, and one of today that has too much in it to be written out. */
const oldNames = new Set([...Object.keys(partOf(before, '#/components/schemas') as Json), 'NewService']);

const openLists = new Set([
  'Channel',
  'DeliveryPurpose',
  'DeliveryStatus',
  'HistoryKind',
  'PracticeChannel',
  'PromptKind',
  'WorklistKind',
]);

/**
 * A part of the document as the old one would have it: that one wrote out what has a name now, said null in another way,
 * and gave no `type` with a list of values.
 */
function asBefore(part: any): any {
  if (Array.isArray(part)) return part.map(asBefore);
  if (typeof part !== 'object' || part === null) return part;
  const { $ref, ...more } = part;
  const name = String($ref).split('/').at(-1)!;
  // Lists that were closed have the same values and more to come.
  if (openLists.has(name)) return { ...more, enum: (partOf(published, $ref) as any).anyOf[0].enum };
  if (typeof $ref === 'string') {
    if ($ref.startsWith('#/components/schemas/') && oldNames.has($ref.split('/').at(-1)!)) return part;
    return asBefore({ ...(partOf(published, $ref) as Json), ...more });
  }
  // What need not be sent said so.
  const isOptional = ('in' in part || 'content' in part) && part.required === undefined;
  if (isOptional && ('in' in part || !('description' in part))) return asBefore({ ...part, required: false });
  const { type, enum: values, anyOf, allOf, ...rest } = part;
  if ('const' in part) return { enum: [part.const], type };
  // A draft has a schema of its own now.
  if (part.oneOf) return asBefore(part.oneOf[0]);
  if (Array.isArray(type)) {
    const { description, ...own } = rest;
    return { anyOf: [{ type: type[0], ...own }, { type: 'null' }], description };
  }
  if (values && typeof type === 'string') return { ...rest, enum: values };
  if (anyOf?.[0]?.enum && anyOf[1].type === 'string') return { ...rest, ...anyOf[1] };
  if (allOf?.[0].if) return asBefore({ type, ...rest });
  if (allOf) {
    const [base, own] = allOf.map((each: any) => (each.$ref ? partOf(published, each.$ref) : each));
    const properties = { ...base.properties, ...own.properties };
    const required = [...base.required, ...own.required];
    return asBefore({ ...rest, type: 'object', required, properties });
  }
  const isAnswers = part.default?.$ref === '#/components/responses/Problem';
  return Object.fromEntries(
    Object.entries(part)
      // Rules were in words only.
      .filter(
        ([name]) =>
          !['x-problem-codes', 'if', 'then', 'dependentRequired', 'dependentSchemas'].includes(name),
      )
      .filter(([name]) => !(isAnswers && name === 'default'))
      .map(([name, value]) => [name, asBefore(isAnswers ? withoutHeaders(value as Json) : value)]),
  );
}

/** The old document said nothing of the headers of answers. */
function withoutHeaders(answer: Json): Json {
  const { $ref, ...own } = answer;
  const { headers: _, ...rest } = { ...($ref ? (partOf(published, $ref as string) as Json) : {}), ...own };
  return rest;
}

const now = asBefore({
  ...published,
  components: {
    securitySchemes: (published.components as Json).securitySchemes,
    schemas: Object.fromEntries(
      Object.entries(partOf(published, '#/components/schemas') as Json).filter(
        ([name]) => name !== 'NewService' && oldNames.has(name),
      ),
    ),
  },
}) as Json;

const words = new Set(['description', 'summary', 'example', 'examples', 'title', 'info', 'servers', 'tags']);

/** Everything in a document that a program can rely on, a line each. */
function linesOf(part: unknown, path: string): string[] {
  if (Array.isArray(part)) {
    const isList = part.every((each) => typeof each !== 'object' || each === null);
    return part.flatMap((each, index) =>
      isList ? [`${path} ${each}`] : linesOf(each, `${path}/${nameOf(each) ?? index}`),
    );
  }
  if (typeof part !== 'object' || part === null) return [`${path} ${part}`];
  const holdsNames = ['properties', 'paths', 'schemas', 'webhooks', 'responses'].some((each) =>
    path.endsWith(`/${each}`),
  );
  const entries = Object.entries(part).filter(([name]) => holdsNames || !words.has(name));
  if (entries.length === 0) return [path];
  return entries.flatMap(([name, value]) => linesOf(value, `${path}/${name}`));
}

/** A parameter is known by its name, not by its place. */
const nameOf = (each: unknown) => (each as { name?: string }).name;

/** Without what stands in every line, so that they can be read. */
const short = (line: string) =>
  line
    .replace('/content/application/json/schema', '')
    .replace('/requestBody', ' body')
    .replaceAll('/properties', '')
    .replace('/paths/', '');

function differences() {
  const [old, current] = [new Set(linesOf(before, '')), new Set(linesOf(now, ''))];
  return {
    gone: [...old].filter((line) => !current.has(line)).map(short),
    added: [...current].filter((line) => !old.has(line)).map(short),
  };
}

/** What was added on purpose since then, and which issue says so. */
const additions: readonly (readonly [string, RegExp])[] = [
  [
    '14: the receiving service is told which referrals may be the same person',
    /^\/components\/schemas\/Referral\/.*possible_duplicates/,
  ],
  [
    '16: twins of one letter are told apart, and the service is told so',
    /^\/components\/schemas\/Referral\/.*possible_twins/,
  ],
  [
    '16: what another open referral of the person says about contacting them safely',
    /^\/components\/schemas\/Referral\/.*contact_elsewhere/,
  ],
  [
    '16: whether a letter that was stopped may have arrived before',
    /^\/components\/schemas\/Referral\/.*may_have_arrived/,
  ],
  ['16: the referrer is told that the exchange did not recognise an NHS number', /refused_because/],
  [
    '16: a program says that a person has on a screen what it reads',
    /^\/api\/referrals\/\{id\}(\/messages(\/\{message_id\})?|\/attachments\/\{attachment_id\})?\/get\/parameters\/onward-shown-to\//,
  ],
  [
    '15: a replay after an event that was deleted says that others are gone',
    /^\/api\/webhooks\/\{id\}\/replay\/post\/responses\/410/,
  ],
  [
    '16: a search with words of a crisis is answered with whom to call',
    /^\/api\/library\/(services|services\/search|service_at_locations)\/\w+\/responses\/200\/crisis_help\//,
  ],
  [
    '14: a new delivery address is confirmed first',
    /\/referral_settings\/(get|put)\/responses\/200\/.*unconfirmed_addresses/,
  ],
  [
    '14: without a mail server nobody could confirm one',
    /\/(referral_settings|channels)\/put\/responses\/409/,
  ],
  ['14: the history of delivery addresses', /\/history\/get\/responses\/200\/.*address_changes/],
  [
    '14: operators search for people with a reason',
    /^\/api\/referrals\/search\/post( body\/reason|\/responses\/422)/,
  ],
  ['14: a reason to open clinical details has two words', /\/open\/post\/responses\/422/],
  ['14: more reasons for an end', / body\/status_reason\/code\/enum [a-z-]+$/],
  ['17: the id in the library of the caller’s organisation', /token\/status\/.*library_id/],
  ['16: a reason to refer somebody with one’s own name', /\/namesake_override(\/|$)/],
  [
    '17: why an answer about contact is right although another one asks for more care',
    /\/contact_override(\/|$)/,
  ],
  ['18: why a referral with a risk of harm is not urgent', /\/urgency_override(\/|$)/],
  ['16: who at the service was told before a restriction', /\/service_told(\/|$)/],
  ['16: who was told of what is open before an erasure', /\/erase\/post body\/told(\/|$)/],
  ['16: the risk of serious harm is asked', /\/risk(_acted_on)?(\/|$)/],
  ['16: a reason to refer somebody outside the ages or area', /\/fit_override(\/|$)/],
  ['16: a referral that was taken on paper', /\/made_at(\/|$)/],
  [
    '17: a client that was away too long is told so, and may begin with what is newest',
    /^\/api\/events\/get\/responses\/(410|200.*latest_id)/,
  ],
  [
    '16: an NHS number that is known with other details',
    /mismatch_override|^\/api\/referrals\/post\/responses\/409/,
  ],
  [
    '16: whether it is safe to contact the person, and who may see a copy',
    /\/contact(\/|$)|\/do_not_show_online(\/|$)|\/carer\/share_with_gp(\/|$)/,
  ],
  [
    'W8: a warning before an address is corrected',
    /^\/components\/schemas\/Referral\/(address_notice|changed_by_service)\//,
  ],
  [
    '16: marks of a service and its place',
    /\/referral_settings\/(get|put).*(sensitive|location_confidential|location_reason)/,
  ],
  [
    '16: somebody told that the person has died',
    /\/died(\/|$)|death_(reported|override)|death-(reported|confirmed|undone)|Referral\/to_confirm\//,
  ],
  ['16: whether a virus scanner has looked at a file', /attachments\/.*scanned/],
  [
    '19: a file that was attached by mistake is removed',
    /\/attachments\/(.*\/removed\/|.*required removed$|\{attachment_id\}\/remove\/post)/,
  ],
  [
    '16: whom the operator told before a referral is restricted',
    /^\/api\/referrals\/\{id\}\/restrict\/post body\/service_told\//,
  ],
  ['16: the title of the person', /\/patient\/title(\/|$)|Patient\/title(\/|$)/],
  ['16: on what the agreement rests', /\/agreement(\/|$)/],
  ['16: the words of the agreement', /\/consent\/wording\//],
  ['16: details of an open referral are corrected', /^\/api\/referrals\/\{id\}\/patch/],
  ['16: the person agrees to something else', /^\/api\/referrals\/\{id\}\/agreement-changed\//],
  ['16: who said that the agreement changes', /\/consent\/(said_by\/|reason\/)/],
  ['staff can transfer a referral', /^\/api\/referrals\/\{id\}\/transfer\/post/],
  [
    '19: the referrer says whether an ending by link is right',
    /^\/api\/referrals\/\{id\}\/(undo-decline|undo-ending|confirm-ending)\/post/,
  ],
  [
    '16: things have changed for the person',
    /^\/api\/referrals\/\{id\}\/things-have-changed|PatientRecord\/.*things_have_changed/,
  ],
  [
    '16: what a line of the history changed',
    /(\/history\/get\/responses\/200|PatientRecord\/referrals\/items\/history)\/.*(kind|changes)/,
  ],
  [
    '16: a letter whose place a newer one took',
    /(\/deliveries\/get\/responses\/200|PatientRecord\/.*deliveries)\/.*superseded/,
  ],
  ['16: by when something happens next', /\/next_date(\/|$)|\/required next_date$/],
  ['16: who of the service has seen a referral', /^\/components\/schemas\/Referral\/(seen\/|required seen$)/],
  [
    '16: what the GP practice has to do',
    /\/gp_actions(\/|$)|^\/api\/referrals\/\{id\}\/gp-actions\/|required gp_actions$/,
  ],
  ['16: what the referrer is, and where to ask them', /\/referrer\/(job_title|telephone)\//],
  ['16: safety notes that the GP practice gets too', /\/safety_notes_for_practice(\/|$)/],
  [
    '16: the person declines social prescribing altogether',
    /\/declines_social_prescribing(\/|$)|\/(reject|fail|cancel)\/post\/responses\/422/,
  ],
  ['16: what an open referral has lost, and who looks after it', /\/prompts(\/|$)|required prompts$/],
  ['16: a GP practice that has closed', /(Found)?Practice\/(closed_on|required closed_on$)/],
  [
    '16: a record that is on legal hold',
    /^\/api\/referrals\/\{id\}\/((lift-)?legal-hold\/|erase\/post body\/ground)|^\/components\/schemas\/Referral\/(held\/|required held$)|PatientRecord\/.*legal_holds/,
  ],
  ['18: a service that declines suggests another one', /\/suggested_service(_id)?(\/|$)/],
  ['18: what an organisation wrote for itself', /PatientRecord\/.*private_notes/],
  [
    '16: a copy of a record is reviewed before it is handed out',
    /^\/api\/patients\/(copies\/|export\/post(\/responses\/201| body\/(purpose|opt_out|format\/deprecated)))|schemas\/(RecordCopy\/|PatientRecord\/(left_out\/|required left_out$))/,
  ],
  [
    '16: a practice that was named by mistake is asked to remove its letter',
    /\/purpose\/enum removal$|\/deliveries\/.*(practice(_code)?(\/|$)|required practice(_code)?$)/,
  ],
  [
    '16: for how long the referrals of a service are kept',
    /\/referral_settings\/(get|put).*(record_kind|retention_years)/,
  ],
  [
    '19: whether a service answers referrals by the link in an email',
    /\/referral_settings\/(get|put).*(answer_by_link|code_email|code_telephone)/,
  ],
  [
    '19: people who refer themselves to a service that allows it',
    /\/referral_settings\/(get|put).*self_referral|PatientRecord\/.*self_referrals/,
  ],
  [
    '17: the code of a problem, and what some codes add',
    /^\/components\/schemas\/Problem\/(code|referral_id|reference|reported_at|service_telephone|misfits|emergency_number|safeguarding_contact|oldest_id|required code$)/,
  ],
  [
    '17: reading the library line by line is an operation of its own',
    /^\/?api\/library\/\w+\.ndjson\/|\/contents\/items\/anyOf\/2\//,
  ],
  [
    '18: only those who have read an unmatched message resolve it',
    /^\/api\/loose-ends\/.*read_by|^\/api\/loose-ends\/\{id\}\/done\/post\/responses\/4(09|22)\//,
  ],
  [
    '18: why the records of a service are kept for less time',
    /^\/api\/library\/services\/\{id\}\/referral_settings\/put body\/retention_reason\//,
  ],
  ['17: any call may be refused with 400', /\/responses\/400\/|^\/api\/referrals\/post\/responses\/404\//],
  ['17: which site this is', /^\/?api\/\/get\//],
  [
    '17: a client that has a version already',
    /^\/api\/referrals\/\{id\}\/get\/(parameters\/if-none-match|responses\/304)/,
  ],
  ['17: the scope that a key needs', /\/security\/0\/access_token [a-z:]+$/],
  [
    '17: the key of a token, and its scopes',
    /token\/status\/.*\/token\/(key\/|scopes\/|required (key|scopes)$)/,
  ],
  [
    '17: a note about a change has fields',
    /\/metadata\/items\/(id|resource_\w+|last_action_\w+|field_name|(previous|replacement)_value|updated_by)(\/|$)/,
  ],
  ['17: a site whose database is being restarted', /\/responses\/503\//],
  ['17: a key without the scope', /^\/?api\/.*\/(get|post|patch|delete)\/responses\/403\//],
  [
    '17: a test site plays failures, lists its stories, and moves the time of webhooks and tokens on',
    /^\/api\/simulator\/(troubles|stories|move-on)|^\/api\/simulator\/\{id\}\/move-on\/post\/responses\/409|^\/components\/schemas\/Trouble\//,
  ],
  ['14: deliveries that the site holds', /^\/api\/deliveries.* held$/],
  [
    '17: whether an account is a person or a system',
    /^\/api\/token\/status\/get\/responses\/200\/account\/(type\/|required type)/,
  ],
  [
    '18: how a service meets people, what it offers, and its languages',
    /^\/api\/library\/(services|services\/search|service_at_locations)\/(get\/parameters\/|post body\/|(get|post)\/responses\/200\/facets\/).*(way|language|feature)|\/facets\/.*(enum (way|language|feature)|maxItems 6)$/,
  ],
  ['18: a webhook is sent what it has missed', /^\/api\/webhooks\/\{id\}\/replay\/post body\/missed\//],
  [
    '19: a page of the person’s own, and a leaflet for them',
    /\/person_page(\/|$)|^\/api\/referrals\/\{id\}\/(person-page|leaflet\.pdf)|PatientRecord\/.*person_(pages|answers)| person-(wants-to-stop|not-helped)$|person-page-changed/,
  ],
  [
    '19: needs, goals, reasonable adjustments, and where a referral comes from',
    /\/(needs|goals|reasonable_adjustments|episode|source|method|ethnic_category)(\/|$)/,
  ],
  [
    '19: by when somebody rings the person after a worrying answer',
    /due_on|(alarming-answer|end-measure-due)$/,
  ],
  ['19: a danger that was told before a reroute', /\/reroute\/post body\/safety_notes\//],
  ['19: measures while the referral is open, and more of them', /\/(measures|measure_changes)(\/|$)/],
  [
    '19: contacts of the service with the person, and appointments',
    /\/(contacts|appointments)(\/|$)|first_contact_at/,
  ],
  [
    '19: a service may need an assessment first, and says its availability as HSDS 3.1 does too',
    /additional-assessment-required$|\/capacities\//,
  ],
  ['19: the figures of a period', /^\/api\/reports\/(summary|\{id\})\//],
  [
    '18: an event says to which referral it belongs',
    /^\/components\/schemas\/Event\/resource\/(required )?referral_id/,
  ],
];

/** What was opened on purpose since then: a client that sends what was valid is answered as before. */
const opened: readonly (readonly [string, RegExp])[] = [
  ['17: a filter may name event types of later versions', /^\/api\/events\/get\/parameters\/type\/.*pattern/],
  ['17: what the site sends may have new fields', /^(?!.* body).*\/additionalProperties false$/],
  [
    '17: If-Match was needed already, as the answer 428 said',
    /\/parameters\/if-match\/required (true|false)$/,
  ],
  [
    '17: without a body none is too large or of the wrong type',
    /^\/api\/library\/services\/\{id\}\/(delete|checked\/post|referral_settings\/(get|webhook_secret\/post)|history\/get)\/responses\/41[35]\//,
  ],
  ['19: WEMWBS has higher scores', /\/outcome\/.*measures\/items\/value\/maximum (35|70)$/],
  ['19: four availabilities can be asked for', /\/capacity\/.*maxItems [34]$/],
  ['18: more filters are counted', /^\/api\/library\/services\/.*\/facets\/.*maxItems [36]$/],
  ['17: the address of a webhook is one', /^\/api\/webhooks\/.* body\/url\/format uri$/],
  ['17: a body that was never needed', / body\/required (true|false)$/],
  [
    '17: words may be blacked out in a copy of a record',
    /^\/components\/schemas\/Referral\/(patient|reasons)\/.*(format|pattern) /,
  ],
  ['17: lines are sent by an operation of its own', /\/responses\/200\/content\/application\/x-ndjson\//],
  [
    '17: the list in its short forms',
    /^(?:\/components\/schemas\/(Organization|ServiceAtLocation)|\/api\/library\/organizations\/get)\/.*required \w+$/,
  ],
  ['17: a parameter whose value has an address of its own', /(\/parameters| body)\/format\/deprecated true$/],
  ['17: a service that is sent needs no id', / body\/\$ref #\/components\/schemas\/(New)?Service$/],
  ['17: a draft has a schema of its own', /^\/api\/referrals\/post body\/status\/(enum draft|type string)$/],
  ['17: a note about a change had no fields', /\/metadata\/items$/],
  [
    '17: one webhook receives every type of event',
    /^\/webhooks\/|^\/components\/schemas\/Event\/discriminator/,
  ],
];

describe('the published document, beside that of e7dc646', () => {
  const { gone, added } = differences();

  it('has lost nothing', () => {
    expect(gone.filter((line) => !opened.some(([, pattern]) => pattern.test(line)))).toEqual([]);
  });

  it('has gained only the additions listed in this file', () => {
    const meant = [...additions, ...opened];
    expect(added.filter((line) => !meant.some(([, pattern]) => pattern.test(line)))).toEqual([]);
  });

  it.each(additions)('has gained: %s', (_, pattern) => {
    expect(added.filter((line) => pattern.test(line))).not.toEqual([]);
  });
});
