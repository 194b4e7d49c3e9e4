import { Type } from 'typebox';
import { actionOn } from '../../accounts/index.ts';
import {
  type FormErrors,
  readUntrimmedFields,
  toFormErrors,
  trimToUndefined,
} from '../../platform/html/index.ts';
import { type App, anyForm, page, type Reply, type Request, signedIn } from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { type FieldError, notFound, Problem, unprocessable } from '../../platform/problem/index.ts';
import { reasonErrors } from '../../platform/reason.ts';
import type { ReferralDeps } from '../../referrals/index.ts';
import { countTexts, type Ground, grounds, type Mark } from './leave-out.ts';
import { anchorOf, findPart, type Part } from './parts.ts';
import { addMark, type CopyInReview, readCopy, removeMark } from './review-copy.ts';

type Deps = ReferralDeps & WebPlatform;

/** For how many minutes after signing in the form can be sent. Reading a long record takes a while, and nobody must lose what they typed. */
export const typingMinutes = 30;

/** The messages of the copy's page after each action. */
export const markBanners = {
  'left-out': 'It is left out of the copy.',
  'taken-back': 'It is in the copy again.',
} as const;

const copiesPath = '/operator/patients/copies';
const fields = ['part', 'how', 'words', 'where', 'ground', 'reason'] as const;
const labels = { how: '', words: '', ground: '', reason: 'The reason' };
const maxWords = 200;

/** The page on which one part of a copy is left out, or words wherever they stand. */
export function leaveOutPages(app: App, deps: Deps): void {
  const access = signedIn('operator');
  const readConfig = page(access, { needsRecentSignIn: true, returnTo: copiesPath });
  const slowFormConfig = page(access, {
    needsRecentSignIn: true,
    signedInWithinMinutes: typingMinutes,
  });
  const params = Type.Object({ id: Type.String({ maxLength: 100 }) });
  const querystring = Type.Object({ part: Type.Optional(Type.String({ maxLength: 200 })) });
  const address = `${copiesPath}/:id/leave-out`;
  app.get(
    address,
    { config: readConfig, schema: { hide: true, params, querystring } },
    async (request, reply) => {
      const review = await readCopy(deps, actionOn(request, request.params.id));
      const { part = '' } = request.query;
      return show(deps, request, reply, review, { part, where: 'everywhere' });
    },
  );

  app.post(
    address,
    { config: slowFormConfig, schema: { hide: true, params, body: anyForm } },
    async (request, reply) => {
      const act = actionOn(request, request.params.id);
      const review = await readCopy(deps, act);
      const values = readUntrimmedFields(request.body, fields);
      const parsed = readMark(review, values);
      if ('errors' in parsed) {
        const errors = toFormErrors(labels, new Problem(unprocessable, undefined, parsed));
        return show(deps, request, reply.code(unprocessable.status), review, values, errors);
      }
      await addMark(deps, act, parsed.mark);
      const anchor = values.part === '' ? 'left-out' : anchorOf(values.part);
      return reply.redirect(`${copiesPath}/${act.id}?done=left-out#${anchor}`, 303);
    },
  );

  const markParams = Type.Object({ ...params.properties, mark: Type.String({ maxLength: 100 }) });
  app.post(
    `${copiesPath}/:id/marks/:mark/take-back`,
    { config: readConfig, schema: { hide: true, params: markParams } },
    async (request, reply) => {
      const act = actionOn(request, request.params.id);
      await removeMark(deps, act, request.params.mark);
      return reply.redirect(`${copiesPath}/${act.id}?done=taken-back#left-out`, 303);
    },
  );
}

type Values = Partial<Record<(typeof fields)[number], string>>;

function show(
  deps: Deps,
  request: Request,
  reply: Reply,
  { copy, record }: CopyInReview,
  values: Values,
  errors?: FormErrors,
): Reply {
  const { part: path = '' } = values;
  return deps.pages.send(request, reply, 'records/templates/leave-out.njk', {
    copy,
    part: path === '' ? undefined : requirePart(record, path),
    grounds: Object.entries(grounds).map(([value, { text, hint }]) => ({
      value,
      text,
      hint: { text: hint },
    })),
    values,
    errors,
  });
}

/** @throws Problem `not-found`. */
function requirePart(record: CopyInReview['record'], path: string): Part {
  const part = findPart(record, path);
  if (!part) throw new Problem(notFound);
  return part;
}

type ParsedMark = { mark: Mark & { reason: string } } | { errors: FieldError[] };

/** Reads from the form what to leave out, and why. @throws Problem `not-found` if the copy has no such part. */
function readMark({ record }: CopyInReview, values: Record<(typeof fields)[number], string>): ParsedMark {
  const part = values.part === '' ? undefined : requirePart(record, values.part);
  const how = part ? values.how : 'black_out';
  const isBlackOut = how === 'black_out';
  const reason = trimToUndefined(values.reason) ?? '';
  const hasGround = Object.hasOwn(grounds, values.ground);
  const path = part && (!isBlackOut || values.where === 'here') ? part.path : null;
  const words = isBlackOut ? (trimToUndefined(values.words) ?? '') : null;
  const errors = [
    ...(how === 'hold_back' || isBlackOut ? [] : [{ pointer: '/how', message: 'Select what to leave out' }]),
    ...(words === null ? [] : wordsErrors(record, words, path)),
    ...(hasGround ? [] : [{ pointer: '/ground', message: 'Select why' }]),
    ...reasonErrors(reason),
  ];
  if (errors.length > 0) return { errors };
  const partInWords = path === null ? 'The whole record' : part!.label;
  const kind = isBlackOut ? ('black_out' as const) : ('hold_back' as const);
  return { mark: { kind, path, partInWords, words, ground: values.ground as Ground, reason } };
}

function wordsErrors(record: CopyInReview['record'], words: string, path: string | null): FieldError[] {
  const pointer = '/words';
  if (!/[\p{L}\p{N}]/u.test(words)) return [{ pointer, message: 'Enter the words to black out' }];
  if ([...words].length > maxWords)
    return [{ pointer, message: `Use ${maxWords} characters or fewer, or hold the whole part back` }];
  if (countTexts(record, words, path) > 0) return [];
  const where = path === null ? 'in the record' : 'in this part';
  return [{ pointer, message: `These words are not ${where}: copy them exactly as they are written` }];
}
