import { Type } from 'typebox';
import { requireCaller } from '../accounts/index.ts';
import { formProblem, readForm } from '../platform/html/index.ts';
import { type App, page, type Reply, type Request, signedIn } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import { Problem, unprocessable } from '../platform/problem/index.ts';
import { findPerson, type ReferralDeps, statusWords } from '../referrals/index.ts';
import { exportRecord } from './export-record.ts';
import { inFormWords, personFields, personLabels, readPerson } from './person-form.ts';
import { sendPacked } from './send-record.ts';

type Deps = ReferralDeps & WebPlatform;

const path = '/operator/patients';
const template = 'records/templates/person.njk';
const anyForm = Type.Object({}, { additionalProperties: true });
/** To look for somebody, no reason has to be given yet. */
const searching = { reason: 'search' };

/** Finds what the site holds about a person, and gives it to them. Forms are posted, so that nobody stands in an address. */
export function personPages(app: App, deps: Deps): void {
  const config = page(signedIn('operator'), { fresh: path });
  app.get(path, { config, schema: { hide: true } }, (request, reply) =>
    deps.pages.send(request, reply, template, { values: readForm({}, personFields) }),
  );

  app.post(path, { config, schema: { hide: true, body: anyForm } }, (request, reply) =>
    orFormAgain(deps, request, reply, async () => {
      const { person } = readPerson({ ...(request.body as object), ...searching });
      const found = await findPerson(deps, requireCaller(request), { person, address: request.ip });
      return show(deps, request, reply, { found });
    }),
  );

  app.post(`${path}/export`, { config, schema: { hide: true, body: anyForm } }, (request, reply) =>
    orFormAgain(deps, request, reply, async () => {
      const wish = { ...readPerson(request.body), address: request.ip };
      return sendPacked(deps, reply, await exportRecord(deps, requireCaller(request), wish));
    }),
  );
}

type Found = Awaited<ReturnType<typeof findPerson>>;

function show(
  deps: Deps,
  request: Request,
  reply: Reply,
  context: { found?: Found; errors?: object },
): Reply {
  const { found, errors } = context;
  const rows = found?.map((referral) => ({ ...referral, words: statusWords[referral.status] }));
  return deps.pages.send(request, reply, template, {
    values: readForm(request.body, [...personFields, 'reason']),
    rows,
    errors,
  });
}

/** What is wrong is said on the form; where the search itself is right, beside what it finds. */
async function orFormAgain(
  deps: Deps,
  request: Request,
  reply: Reply,
  work: () => Promise<Reply>,
): Promise<Reply> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Problem) || error.kind !== unprocessable) throw error;
    const errors = formProblem(personLabels, inFormWords(error));
    const onlyTheReason = Object.keys(errors.fields).every((name) => name === 'reason');
    reply.code(unprocessable.status);
    if (!onlyTheReason) return show(deps, request, reply, { errors });
    const { person } = readPerson({ ...(request.body as object), ...searching });
    const found = await findPerson(deps, requireCaller(request), { person, address: request.ip });
    return show(deps, request, reply, { found, errors });
  }
}
