import { isUtf8 } from 'node:buffer';
import { actorOf, inviteTeam, requireCaller } from '../../accounts/index.ts';
import { toCsv } from '../../platform/csv.ts';
import { type FormErrors, fieldError, readUntrimmedFields } from '../../platform/html/index.ts';
import {
  type App,
  anyForm,
  installUploads,
  page,
  type Reply,
  type Request,
  signedIn,
  withUpload,
} from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { Problem, requireRefusal, unprocessable } from '../../platform/problem/index.ts';
import { cleanText } from '../../platform/visible-text.ts';
import { listKnownNames } from './read-organisation.ts';
import { correctOrganisation, maxTeam, readTeam, type TeamLine, teamColumns } from './read-team.ts';

const path = '/operator/accounts/invite-team';
const maxFileBytes = 200 * 1024;
const exampleList = `name,email,roles,organisation
Asha Example,asha@example.org,referrer,Example Surgery
Sam Example,sam@example.org,provider manager,Example Charity
`;
const config = page(signedIn('operator'), { needsRecentSignIn: true });
// Thirty minutes are long enough to correct a list.
const listConfig = page(signedIn('operator'), {
  needsRecentSignIn: true,
  signedInWithinMinutes: 30,
  returnTo: path,
});

/**
 * Invites a team from a list. First a preview says what is wrong with each line. The lines that are right can be invited then; the
 * others stay in the form, where they can be corrected.
 */
export function teamPages(app: App, deps: WebPlatform): void {
  app.get(path, { config, schema: { hide: true } }, (request, reply) => send(deps, request, reply, {}));

  app.post(path, { config: listConfig, schema: { hide: true, body: anyForm } }, async (request, reply) => {
    const { list, organisation, action } = readUntrimmedFields(request.body, [
      'list',
      'organisation',
      'action',
    ]);
    const choice = /^use:(?<line>\d+):(?<name>.+)$/s.exec(action)?.groups;
    const typed = { list, organisation: cleanText(organisation) };
    const values = choice
      ? correctOrganisation(typed, { line: Number(choice.line), name: choice.name! })
      : typed;
    const team = await readTeam(deps.db, values.list, values.organisation);
    if (typeof team === 'string')
      return send(deps, request, reply.code(unprocessable.status), {
        values,
        errors: fieldError('list', team),
      });
    const ready = team.filter(({ errors }) => errors.length === 0);
    const wrong = team.filter(({ errors }) => errors.length > 0);
    const takesPart = action === 'invite-ready' && ready.length > 0;
    if (action !== 'invite' && !takesPart) return send(deps, request, reply, { values, team });
    if (wrong.length > 0 && !takesPart)
      return send(deps, request, reply.code(unprocessable.status), { values, team });
    const actor = actorOf(requireCaller(request), request.ip);
    const invitations = ready.map(({ invitation }) => ({ ...invitation!, hasApiAccess: false }));
    try {
      await inviteTeam(deps, actor, invitations);
    } catch (error) {
      requireRefusal(error);
      const errors = fieldError('list', `Nobody was invited: ${error.detail ?? error.kind.title}`);
      return send(deps, request, reply.code(error.kind.status), { values, errors });
    }
    const invitedCount = ready.length;
    if (wrong.length === 0) return send(deps, request, reply, { invitedCount });
    // Only what must be corrected stays in the form, with the numbers of its lines there.
    const rest = toCsv(
      teamColumns,
      wrong.map((line) => teamColumns.map((column) => line[column])),
    );
    const restOfTeam = wrong.map((line, index) => ({ ...line, line: index + 2 }));
    return send(deps, request, reply, {
      values: { ...values, list: rest },
      team: restOfTeam,
      invitedCount,
    });
  });

  const exampleConfig = page(signedIn('operator'));
  app.get(`${path}/example.csv`, { config: exampleConfig, schema: { hide: true } }, (_request, reply) =>
    reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="invite-a-team.csv"')
      .send(exampleList),
  );

  teamFileForm(app, deps);
}

/** Shows a list from a file in the form, as if somebody had typed it. */
function teamFileForm(app: App, deps: WebPlatform): void {
  installUploads(app, maxFileBytes, (scope) => {
    scope.get(`${path}/file`, { config, schema: { hide: true } }, (_request, reply) =>
      reply.redirect(path, 303),
    );
    scope.post(`${path}/file`, { config: listConfig, schema: { hide: true } }, async (request, reply) => {
      try {
        const list = await withUpload(request, async ({ content }) => {
          if (!isUtf8(content)) throw new Problem(unprocessable);
          return content.toString('utf8');
        });
        const values = { list, organisation: '' };
        const team = await readTeam(deps.db, list, '');
        if (typeof team !== 'string') return send(deps, request, reply, { values, team });
        reply.code(unprocessable.status);
        return send(deps, request, reply, { values, errors: fieldError('list', team) });
      } catch (error) {
        requireRefusal(error);
        const text =
          error.kind === unprocessable
            ? 'Save the file as “CSV UTF-8”, and choose it again'
            : 'Choose a CSV file of at most 200 kilobytes';
        return send(deps, request, reply.code(error.kind.status), { errors: fieldError('file', text) });
      }
    });
  });
}

type PageState = {
  values?: { list: string; organisation: string };
  team?: readonly TeamLine[];
  errors?: FormErrors;
  invitedCount?: number;
};

async function send(deps: WebPlatform, request: Request, reply: Reply, state: PageState): Promise<Reply> {
  const linesWithErrors = (state.team ?? []).filter(({ errors }) => errors.length > 0);
  const summary = linesWithErrors.flatMap(({ line, errors }) =>
    errors.map((text) => ({ text: `Line ${line}: ${text}`, href: `#line-${line}` })),
  );
  return deps.pages.send(request, reply, 'operator/accounts/templates/invite-team.njk', {
    maxTeam,
    known: await listKnownNames(deps.db),
    ...state,
    errors: state.errors ?? (summary.length > 0 ? { summary, fields: {} } : undefined),
    wrongCount: linesWithErrors.length,
  });
}
