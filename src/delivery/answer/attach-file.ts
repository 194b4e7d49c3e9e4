import type { Static, TObject, TString } from 'typebox';
import { Type } from 'typebox';
import { fieldError } from '../../platform/html/index.ts';
import {
  type App,
  installUploads,
  type page,
  type Reply,
  type Request,
  withUpload,
} from '../../platform/http/index.ts';
import { badRequest, Problem, unprocessable } from '../../platform/problem/index.ts';
import {
  actorByLink,
  fileProblemInWords,
  maxFileBytes,
  scanUploaded,
  type UploadedFile,
} from '../../referrals/index.ts';
import { type Form, type FormErrors, whoErrors } from './answer-forms.ts';
import type { LinkPageState, OpenLink } from './answer-referral.ts';
import { type AnswerDeps, done, formErrorsOf } from './submit-form.ts';
import { takeStep } from './take-step.ts';
import type { Visitor } from './visits-store.ts';

/** What the form shares with the other pages of the link. */
type AroundTheForm = {
  config: ReturnType<typeof page>;
  params: TObject<{ secret: TString }>;
  /** Of the link’s page. */
  path: (secret: string) => string;
  open: (request: Request, secret: string) => Promise<LinkPageState>;
  tokenOf: (request: Request) => string | undefined;
  /** What each page of the link shows. */
  summaryOf: (opened: OpenLink) => object;
};

const template = 'delivery/answer/templates/answer-file.njk';

/** The form by which somebody who has entered a code attaches a file. */
export function attachFilePages(
  app: App,
  deps: AnswerDeps,
  { config, params, path: addressOf, open, tokenOf, summaryOf }: AroundTheForm,
): void {
  const path = '/answer/:secret/file';
  type Params = Static<typeof params>;
  const show = (
    request: Request,
    reply: Reply,
    opened: OpenLink,
    refused?: { values: object; errors: FormErrors },
  ) =>
    deps.pages.send(request, refused ? reply.code(unprocessable.status) : reply, template, {
      ...summaryOf(opened),
      values: { ...opened.visitor, ...refused?.values },
      errors: refused?.errors,
    });

  const querystring = Type.Object({ do: Type.Optional(Type.String({ maxLength: 20 })) });
  app.get(path, { config, schema: { hide: true, params, querystring } }, async (request, reply) => {
    const { secret } = request.params as Params;
    const opened = await open(request, secret);
    const isOpen = opened.state === 'open' && opened.visitor !== undefined;
    if (isOpen && request.query.do !== 'back') return show(request, reply, opened);
    return reply.redirect(isOpen ? addressOf(secret) : `${addressOf(secret)}?do=file`, 303);
  });

  installUploads(app, maxFileBytes, (scope) => {
    scope.post(path, { config, schema: { hide: true, params } }, async (request, reply) => {
      const { secret } = request.params as Params;
      const opened = await open(request, secret);
      if (opened.state !== 'open' || !opened.visitor)
        return reply.redirect(`${addressOf(secret)}?do=file`, 303);
      let values = { name: '', role: '' };
      try {
        return await withUpload(
          request,
          async ({ fields: { name = '', role = '' }, ...file }) => {
            values = { name: name.trim(), role: role.trim() };
            const errors = whoErrors(values as Form);
            if (errors.length > 0)
              return show(request, reply, opened, { values, errors: formErrorsOf(errors) });
            // This is what a browser sends when no file was chosen.
            if (file.name === '' && file.content.length === 0) throw new Problem(badRequest);
            const by = { ...values, token: tokenOf(request), ipAddress: request.ip };
            const outcome = await attachFile(deps, opened, secret, { file, by });
            return reply.redirect(outcome ? done.path(addressOf(secret), outcome) : addressOf(secret), 303);
          },
          ['name', 'role'],
        );
      } catch (error) {
        const text = error instanceof Problem ? fileProblemInWords(error) : undefined;
        if (text === undefined) throw error;
        return show(request, reply, opened, { values, errors: fieldError('file', text) });
      }
    });
  });
}

/** Scans the file and attaches it. @returns which banner the link’s page shows then; none if the link no longer answers */
async function attachFile(
  deps: AnswerDeps,
  { link, referral }: OpenLink,
  secret: string,
  { file, by }: { file: UploadedFile; by: Visitor & { token: string | undefined; ipAddress: string } },
): Promise<'file' | 'file-unscanned' | undefined> {
  const { name, role, ipAddress } = by;
  const actor = actorByLink({ name, role, address: link.address, ipAddress });
  const scanned = await scanUploaded(deps, file, { referralId: referral.id, actor, at: deps.clock.now() });
  const result = await takeStep(deps, secret, { kind: 'file', file, scanned }, by);
  if (result !== 'done') return undefined;
  return deps.settings.scanUrl !== undefined && !scanned ? 'file-unscanned' : 'file';
}
