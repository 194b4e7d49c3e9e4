import { CallError, isProblem } from './errors.ts';
import { everyItem, type Page } from './every-item.ts';
import type { Answer, AnswerBody, Body, Call, Query, Schemas, Settings } from './operations.ts';

/** Something with its ETag, which says what you last saw. Each change sends it back. */
export type Versioned<T> = T & { readonly etag: string };
export type Referral = Schemas['Referral'];
export type NewReferral = Schemas['NewReferral'];
export type Draft = Schemas['DraftReferral'];
export type Message = AnswerBody<'sendMessage'>;
export type Attachment = AnswerBody<'attachFile'>;

/** `for await (const each of …)` */
type Items<T> = AsyncGenerator<T, void, undefined>;

type Latest = Promise<Versioned<Referral>>;

/** A referral as you last read it. */
type SeenVersion = Pick<Versioned<Referral>, 'id' | 'etag'>;

/** Of calls that read what a person may have on a screen. */
export type ReadSettings = Settings & {
  /**
   * The person whose token it is has the answer on a screen now. Only this counts as seen, and ends the emails about what nobody
   * has seen. Leave it out where a program reads for itself, in the background or for a copy.
   */
  shownToPerson?: boolean | undefined;
};

/** A referral, or its id. */
type ReferralOrId = string | Pick<Referral, 'id'>;

/** These operations change a referral that you have seen, and answer what it is now. */
const actions = [
  'acceptReferral',
  'rejectReferral',
  'startReferral',
  'holdReferral',
  'changeWait',
  'completeReferral',
  'failReferral',
  'cancelReferral',
  'withdrawReferral',
  'requestReferral',
  'changeDraft',
  'correctReferral',
  'transferReferral',
] as const;
type Action = (typeof actions)[number];
/** What these operations have in common, which TypeScript cannot see by itself. */
type CallAction = (
  operationId: Action,
  options: { path: { id: string }; header: { 'if-match': string }; body: unknown } & Settings,
) => Promise<Answer<Referral>>;

/** Somebody else may be faster again and again, but hardly more often than this. */
const maxUpdates = 5;

export type Referrals = ReturnType<typeof createReferrals>;

export function createReferrals(call: Call) {
  const act = async <Id extends Action>(
    id: Id,
    seen: SeenVersion,
    body: Body<Id>,
    settings?: Settings,
  ): Latest => {
    if (!seen.etag)
      throw new TypeError(
        'Pass the referral as `get` or `list` returned it: its `etag` says which version you saw.',
      );
    const options = { path: { id: seen.id }, header: { 'if-match': seen.etag }, body, ...settings };
    return versioned(await (call as unknown as CallAction)(id, options));
  };

  const get = async (referral: ReferralOrId, settings?: ReadSettings): Latest =>
    versioned(await call('getReferral', { path: { id: idOf(referral) }, ...whoSees(settings) }));

  return {
    /** Makes a referral, once however often it is sent: see `idempotencyKey`. */
    create: async (referral: NewReferral, settings?: Settings): Latest =>
      versioned(await call('createReferral', { body: referral, ...settings })),

    /** Keeps a draft for your organisation. Nothing in it is required. */
    draft: async (draft: Draft, settings?: Settings): Latest => {
      const body = { ...draft, status: 'draft' as const };
      return versioned(await call('createReferral', { body, ...settings }));
    },

    /** Puts another draft in the place of this one. */
    changeDraft: (seen: SeenVersion, draft: Draft, settings?: Settings): Latest =>
      act('changeDraft', seen, draft, settings),

    /** Sends a draft. */
    send: (seen: SeenVersion, body: Body<'requestReferral'> = {}, settings?: Settings): Latest =>
      act('requestReferral', seen, body, settings),

    get,

    /** Newest first, page after page. */
    list: (
      query: Omit<Query<'listReferrals'>, 'cursor'> = {},
      settings?: Settings,
    ): Items<Versioned<Referral>> =>
      everyItem(async (cursor) => {
        const options = { query: { ...query, cursor }, ...settings };
        return versionedPage(await call('listReferrals', options));
      }),

    /** The referrals of one person: by NHS number, or by last name and birth date. Newest first, page after page. */
    findPerson: (
      person: Omit<Body<'searchReferrals'>, 'cursor'>,
      settings?: Settings,
    ): Items<Versioned<Referral>> =>
      everyItem(async (cursor) => {
        const options = { body: { ...person, cursor }, ...settings };
        return versionedPage(await call('searchReferrals', options));
      }),

    /**
     * Reads the referral, and lets you decide and act. It repeats this if somebody changed it meanwhile or the answer was lost. So look
     * at its status each time: `update(id, (r) => (r.status === 'requested' ? referrals.accept(r) : undefined))`.
     */
    update: async (
      toUpdate: ReferralOrId,
      decide: (referral: Versioned<Referral>) => Promise<Versioned<Referral> | undefined> | undefined,
      settings?: Settings,
    ): Latest => {
      for (let attempt = 1; ; attempt += 1) {
        const referral = await get(toUpdate, settings);
        try {
          return (await decide(referral)) ?? referral;
        } catch (error) {
          if (attempt === maxUpdates || !shouldReadAgain(error)) throw error;
        }
      }
    },

    accept: (seen: SeenVersion, settings?: Settings): Latest => act('acceptReferral', seen, {}, settings),
    reject: (seen: SeenVersion, body: Body<'rejectReferral'>, settings?: Settings): Latest =>
      act('rejectReferral', seen, body, settings),
    start: (seen: SeenVersion, settings?: Settings): Latest => act('startReferral', seen, {}, settings),
    hold: (seen: SeenVersion, body: Body<'holdReferral'>, settings?: Settings): Latest =>
      act('holdReferral', seen, body, settings),
    changeWait: (seen: SeenVersion, body: Body<'changeWait'>, settings?: Settings): Latest =>
      act('changeWait', seen, body, settings),
    complete: (seen: SeenVersion, body: Body<'completeReferral'>, settings?: Settings): Latest =>
      act('completeReferral', seen, body, settings),
    fail: (seen: SeenVersion, body: Body<'failReferral'>, settings?: Settings): Latest =>
      act('failReferral', seen, body, settings),
    cancel: (seen: SeenVersion, body: Body<'cancelReferral'>, settings?: Settings): Latest =>
      act('cancelReferral', seen, body, settings),
    withdrawAsError: (seen: SeenVersion, body: Body<'withdrawReferral'> = {}, settings?: Settings): Latest =>
      act('withdrawReferral', seen, body, settings),
    /** Corrects contact details, practice, urgency or safety notes of an open referral. */
    correct: (seen: SeenVersion, body: Body<'correctReferral'>, settings?: Settings): Latest =>
      act('correctReferral', seen, body, settings),
    transfer: (seen: SeenVersion, body: Body<'transferReferral'>, settings?: Settings): Latest =>
      act('transferReferral', seen, body, settings),

    /** Refers the person elsewhere after a referral that was unsuccessful. */
    reroute: async (referral: ReferralOrId, body: Body<'rerouteReferral'>, settings?: Settings): Latest =>
      versioned(await call('rerouteReferral', { path: { id: idOf(referral) }, body, ...settings })),

    /** Attaches a PDF, PNG or JPEG: a `Blob`, such as `await fs.openAsBlob('letter.pdf')` in Node, and its name. */
    attach: async (
      referral: ReferralOrId,
      file: Blob,
      name: string,
      settings?: Settings,
    ): Promise<Attachment> => {
      if (!(file instanceof Blob)) throw new TypeError('The file must be a Blob: new Blob([buffer]).');
      if (!name) throw new TypeError('Name the file, such as letter.pdf.');
      const body = new FormData();
      body.append('file', file, name);
      return (await call('attachFile', { path: { id: idOf(referral) }, body, ...settings })).body;
    },

    /** What both sides wrote, newest first, page after page. */
    messages: (referral: ReferralOrId, settings?: ReadSettings): Items<Message> =>
      everyItem(async (cursor) => {
        const options = { path: { id: idOf(referral) }, query: { cursor }, ...whoSees(settings) };
        return (await call('listMessages', options)).body;
      }),

    sendMessage: async (referral: ReferralOrId, text: string, settings?: Settings): Promise<Message> =>
      (await call('sendMessage', { path: { id: idOf(referral) }, body: { text }, ...settings })).body,
  };
}

function whoSees({ shownToPerson, ...settings }: ReadSettings = {}) {
  return { header: { 'onward-shown-to': shownToPerson ? ('person' as const) : undefined }, ...settings };
}

const idOf = (referral: ReferralOrId) => (referral instanceof Object ? referral.id : referral);

export function versioned({ body, headers }: Answer<Referral>): Versioned<Referral> {
  return { ...body, etag: headers.get('etag') ?? etagOf(body) };
}

/** Lists have no header for each item, and a change compares only the version. */
const etagOf = ({ version }: Referral) => `"${version}"`;

function versionedPage({ body }: Answer<Page<Referral>>): Page<Versioned<Referral>> {
  return { ...body, items: body.items.map((each) => ({ ...each, etag: etagOf(each) })) };
}

/** Somebody changed the referral meanwhile, or nobody knows whether our own change was made. */
function shouldReadAgain(error: unknown): boolean {
  if (isProblem(error, 'version-stale')) return true;
  const isAction = (operationId: string) => (actions as readonly string[]).includes(operationId);
  return error instanceof CallError && error.mayBeDone && isAction(error.operationId);
}
