import { Type } from 'typebox';
import { actionOn, actorOf } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import {
  type FormErrors,
  readUntrimmedFields,
  successBanner,
  toFormErrors,
  trimToUndefined,
} from '../../platform/html/index.ts';
import { type App, anyForm, page, type Reply, type Request, signedIn } from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { type FieldError, notFound, Problem, unprocessable } from '../../platform/problem/index.ts';
import { reasonErrors } from '../../platform/reason.ts';
import { findAttachment, type ReferralDeps, sendFile } from '../../referrals/index.ts';
import { listCopies, type StoredCopy } from './copies-store.ts';
import { copyLifetimeMs, listChangesSincePacking, statusOf } from './copy-state.ts';
import { handOutCopy } from './hand-out-copy.ts';
import { applyMarks, grounds, isWithin } from './leave-out.ts';
import { leaveOutPages, markBanners, typingMinutes } from './leave-out-pages.ts';
import { markCopyAskedBack } from './mark-asked-back.ts';
import { anchorOf, partsOf } from './parts.ts';
import { recordInWords } from './record-in-words.ts';
import { copyForPatient, finishReview, marksVersion, readCopy, reviewAgain } from './review-copy.ts';
import { sendZip } from './zip-record.ts';

type Deps = ReferralDeps & WebPlatform;

const copiesPath = '/operator/patients/copies';
/** Copies on the page: far more than a site packs in a month. */
const maxShown = 200;
const maxTextLength = 2000;
const done = successBanner({
  packed: 'The record was packed. Now look through it.',
  ...markBanners,
  reviewed: 'The review is finished. You can hand the copy out.',
  reopened: 'The copy has to be reviewed again.',
});
const params = Type.Object({ id: Type.String({ maxLength: 100 }) });

const stateWords = {
  to_review: { text: 'To review', colour: 'yellow' },
  reviewed: { text: 'Reviewed', colour: 'green' },
  handed_out: { text: 'Handed out', colour: 'grey' },
  deleted: { text: 'Deleted', colour: 'grey' },
} as const;

const copyPurposeWords: Readonly<Record<StoredCopy['purpose'], string>> = {
  person: 'The person, or somebody who acts for them',
  required_by_law: 'Somebody whom the law lets have it',
  beyond_care: 'Somebody else, for use beyond care',
};

const optOutWords = {
  not_opted_out: 'The person has not opted out',
  does_not_apply: 'It does not apply',
} as const;

/** Where operators look through a packed record, leave things out of it, and hand it out. */
export function reviewPages(app: App, deps: Deps): void {
  const access = signedIn('operator');
  const readConfig = page(access, { needsRecentSignIn: true });
  const changeConfig = page(access, { needsRecentSignIn: true, returnTo: `${copiesPath}/:id` });
  const slowFormConfig = page(access, {
    needsRecentSignIn: true,
    returnTo: `${copiesPath}/:id`,
    signedInWithinMinutes: typingMinutes,
  });

  app.get(copiesPath, { config: page(access), schema: { hide: true } }, async (request, reply) => {
    const copies = await listCopies(deps.db, maxShown);
    return deps.pages.send(request, reply, 'records/templates/copies.njk', {
      rows: copies.map((copy) => ({ ...copy, state: stateWords[statusOf(copy)] })),
      toAskBack: copies.filter((copy) => copy.fileRemovedAt !== null && copy.askedBackAt === null),
      isCut: copies.length === maxShown,
    });
  });

  const querystring = Type.Object({ done: done.query });
  app.get(
    `${copiesPath}/:id`,
    { config: readConfig, schema: { hide: true, params, querystring } },
    (request, reply) =>
      showCopy(deps, request, reply, request.params.id, { done: done.words(request.query.done) }),
  );
  app.get(
    `${copiesPath}/:id/preview`,
    { config: readConfig, schema: { hide: true, params } },
    async (request, reply) => {
      const review = await readCopy(deps, actionOn(request, request.params.id));
      const words = recordInWords(
        copyForPatient(review),
        (file) => `${copiesPath}/${review.copy.id}/files/${file.id}`,
      );
      return deps.pages.send(request, reply, 'records/templates/copy-preview.njk', {
        copy: review.copy,
        ...words,
      });
    },
  );
  filePage(app, deps);
  leaveOutPages(app, deps);

  const withForm = { config: changeConfig, schema: { hide: true, params, body: anyForm } };
  app.post(`${copiesPath}/:id/reviewed`, { ...withForm, config: slowFormConfig }, (request, reply) =>
    finish(deps, request, reply, request.params.id),
  );
  app.post(`${copiesPath}/:id/review-again`, withForm, async (request, reply) => {
    const act = actionOn(request, request.params.id);
    await reviewAgain(deps, act);
    return reply.redirect(done.path(`${copiesPath}/${act.id}`, 'reopened'), 303);
  });
  app.post(`${copiesPath}/:id/asked-back`, withForm, async (request, reply) => {
    await markCopyAskedBack(deps, actionOn(request, request.params.id));
    return reply.redirect(copiesPath, 303);
  });
  app.post(`${copiesPath}/:id/hand-out`, withForm, async (request, reply) =>
    sendZip(deps, reply, await handOutCopy(deps, actionOn(request, request.params.id))),
  );
}

type PageState = { done?: string | undefined; errors?: FormErrors };

async function showCopy(
  deps: Deps,
  request: Request,
  reply: Reply,
  id: string,
  state: PageState,
): Promise<Reply> {
  const review = await readCopy(deps, actionOn(request, id));
  const { copy, record, marks } = review;
  const { blackedOutRecord, heldBackPaths } = applyMarks(record, marks);
  const textsInCopy = textsByPath(partsOf(blackedOutRecord));
  const isHeld = (path: string) => [...heldBackPaths].some((each) => isWithin(path, each));
  const referrals = partsOf(record).map(({ whole, groups }) => ({
    whole: { ...whole, anchor: anchorOf(whole.path), isHeld: isHeld(whole.path) },
    groups: groups
      .toSorted((one, other) => readingRank(one) - readingRank(other))
      .map(({ title, parts, whole: list }) => ({
        title,
        list: list && { ...list, anchor: anchorOf(list.path), isHeld: isHeld(list.path) },
        parts: parts.map((part) => ({
          ...part,
          anchor: anchorOf(part.path),
          isHeld: isHeld(part.path),
          textInCopy: textsInCopy.get(part.path) === part.text ? undefined : textsInCopy.get(part.path),
        })),
      })),
  }));
  const files = copyForPatient(review).referrals.flatMap(({ attachments }) => attachments).length;
  return deps.pages.send(request, reply, 'records/templates/copy.njk', {
    copy,
    state: stateWords[statusOf(copy)],
    purpose: copyPurposeWords[copy.purpose],
    optOut: copy.optOut && { words: optOutWords[copy.optOut.decision], because: copy.optOut.because },
    deletedOn: new Date(copy.packedAt.getTime() + copyLifetimeMs),
    changes: await inTransaction(deps.db, (trx) => listChangesSincePacking(trx, deps, copy)),
    marks: marks.map((mark) => ({ ...mark, groundInWords: grounds[mark.ground].text })),
    seen: marksVersion(marks),
    referrals,
    files,
    values: readUntrimmedFields(request.body, ['note', 'files_read']),
    ...state,
  });
}

/** What may be about other people, in the order in which a reviewer reads it. The rest keeps its order. */
const readFirst = ['Messages', 'Private notes', 'What changed for the person', 'Files', 'The referral'];

function readingRank({ title }: { title: string }): number {
  const index = readFirst.indexOf(title);
  return index < 0 ? readFirst.length : index;
}

function textsByPath(referrals: ReturnType<typeof partsOf>): Map<string, string> {
  const parts = referrals.flatMap(({ groups }) => groups.flatMap((group) => group.parts));
  return new Map(parts.map(({ path, text }) => [path, text]));
}

async function finish(deps: Deps, request: Request, reply: Reply, id: string): Promise<Reply> {
  const form = readUntrimmedFields(request.body, ['note', 'seen', 'files_read', 'has_files']);
  const note = trimToUndefined(form.note) ?? '';
  const errors: FieldError[] = reasonErrors(note, { maxLength: maxTextLength }).map((error) => ({
    ...error,
    pointer: '/note',
    message: error.code === 'required' ? 'Enter what you looked at, and whom you asked' : error.message,
  }));
  if (form.has_files !== '' && form.files_read === '')
    errors.push({ pointer: '/files_read', message: 'Confirm that you have read the files' });
  if (errors.length === 0) {
    if (await finishReview(deps, actionOn(request, id), { note, seenVersion: form.seen }))
      return reply.redirect(done.path(`${copiesPath}/${id}`, 'reviewed'), 303);
    errors.push({
      pointer: '',
      message: 'Somebody has changed what is left out since you opened this page. Look at it again',
    });
  }
  const problem = new Problem(unprocessable, undefined, { errors });
  return showCopy(deps, request, reply.code(unprocessable.status), id, {
    errors: toFormErrors({ note: 'Your note', files_read: '' }, problem),
  });
}

/** A file of the record. The reviewer reads it to decide whether to hold it back. */
function filePage(app: App, deps: Deps): void {
  const config = page(signedIn('operator'), { needsRecentSignIn: true, returnTo: copiesPath });
  const fileParams = Type.Object({ ...params.properties, file: Type.String({ maxLength: 100 }) });
  app.get(
    `${copiesPath}/:id/files/:file`,
    { config, schema: { hide: true, params: fileParams } },
    async (request, reply) => {
      const act = actionOn(request, request.params.id);
      const { record } = await readCopy(deps, act);
      const { file: fileId } = request.params;
      const referralId = record.referrals.find(({ attachments }) =>
        attachments.some(({ id }) => id === fileId),
      )?.referral.id;
      const file = referralId && (await findAttachment(deps.db, referralId, fileId));
      if (!file || file.removedAt !== null) throw new Problem(notFound);
      await inTransaction(deps.db, (trx) =>
        recordAudit(trx, {
          at: deps.clock.now(),
          actor: actorOf(act.caller, act.ipAddress),
          action: 'referral.attachment_read',
          subject: { type: 'referral', id: referralId },
          details: { attachment: file.id },
        }),
      );
      return sendFile(deps, reply, file);
    },
  );
}
