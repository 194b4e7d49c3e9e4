import { Type } from 'typebox';
import { actorOf, requireCaller, requireDataSharingDetails } from '../../../accounts/index.ts';
import { recordAudit } from '../../../audit/index.ts';
import { inTransaction } from '../../../platform/database/index.ts';
import {
  type FormErrors,
  readChoices,
  readFields,
  successBanner,
  toFormErrors,
} from '../../../platform/html/index.ts';
import { type App, anyForm, page, type Reply, type Request, signedIn } from '../../../platform/http/index.ts';
import type { WebPlatform } from '../../../platform/platform.ts';
import { type FieldError, Problem, unprocessable } from '../../../platform/problem/index.ts';
import {
  deskState,
  findQuestionnaireDesk,
  listPossibleOwners,
  saveQuestionnaireDesk,
} from '../../model/after-acceptance/questionnaire-desks-store.ts';
import {
  type QuestionnaireCode,
  questionnaireCodes,
  questionnaires,
} from '../../model/after-acceptance/questionnaires.ts';

const path = '/operator/organisations/:id/questionnaires';
const params = Type.Object({ id: Type.String({ maxLength: 100 }) });
const done = successBanner({ saved: 'Saved.' });

type DeskForm = { owner: string; deputy: string; asks: readonly string[]; on: string };

/** Where an operator names who of an organisation looks into worrying answers, and switches its questionnaires on. */
export function questionnaireDeskPage(app: App, deps: WebPlatform): void {
  // It decides who is told of a worrying answer.
  const config = page(signedIn('operator'), { needsRecentSignIn: true });
  const querystring = Type.Object({ done: done.query });
  app.get(path, { config, schema: { hide: true, params, querystring } }, async (request, reply) => {
    const desk = await findQuestionnaireDesk(
      deps.db,
      (await requireDataSharingDetails(deps.db, request.params.id)).id,
    );
    const values = {
      owner: desk?.owner.id ?? '',
      deputy: desk?.deputy.id ?? '',
      asks: desk?.asks ?? ['ons4'],
      on: desk?.isOn ? 'yes' : '',
    };
    return sendForm(deps, request, reply, { values, done: done.words(request.query.done) });
  });

  app.post(path, { config, schema: { hide: true, params, body: anyForm } }, async (request, reply) => {
    const { id: organisationId } = await requireDataSharingDetails(deps.db, request.params.id);
    const { owner, deputy, on } = readFields(request.body, ['owner', 'deputy', 'on']);
    const asks = questionnaireCodes.filter((each) => readChoices(request.body, 'asks').includes(each));
    const values = { owner, deputy, asks, on };
    const people = await listPossibleOwners(deps.db, organisationId);
    const errors = errorsIn(
      values,
      people.map(({ id }) => id),
    );
    if (errors.length > 0) {
      const problem = new Problem(unprocessable, undefined, { errors });
      const shown = toFormErrors({ owner: '', deputy: '', asks: '' }, problem);
      return sendForm(deps, request, reply.code(unprocessable.status), { values, errors: shown });
    }
    await saveDesk(deps, request, { organisationId, owner, deputy, asks, isOn: on === 'yes' });
    return reply.redirect(done.path(path.replace(':id', organisationId), 'saved'), 303);
  });
}

type NewDesk = {
  organisationId: string;
  owner: string;
  deputy: string;
  asks: readonly QuestionnaireCode[];
  isOn: boolean;
};

function saveDesk(
  deps: WebPlatform,
  request: Request,
  { organisationId, owner, deputy, asks, isOn }: NewDesk,
): Promise<void> {
  return inTransaction(deps.db, async (trx) => {
    await saveQuestionnaireDesk(trx, { organisationId, isOn, ownerId: owner, deputyId: deputy, asks });
    await recordAudit(trx, {
      at: deps.clock.now(),
      actor: actorOf(requireCaller(request), request.ip),
      action: 'organisation.questionnaires_changed',
      subject: { type: 'organisation', id: organisationId },
      details: { is_on: isOn, owner, deputy, asks },
    });
  });
}

function errorsIn({ owner, deputy, asks }: DeskForm, possible: readonly string[]): FieldError[] {
  const errors: FieldError[] = [];
  const why = 'without one, nobody would look into worrying answers';
  if (!possible.includes(owner)) errors.push({ pointer: '/owner', message: `Choose the owner: ${why}` });
  if (!possible.includes(deputy)) errors.push({ pointer: '/deputy', message: `Choose the deputy: ${why}` });
  else if (owner === deputy) errors.push({ pointer: '/deputy', message: 'Choose two people' });
  if (asks.length === 0) errors.push({ pointer: '/asks', message: 'Choose at least one questionnaire' });
  return errors;
}

async function sendForm(
  deps: WebPlatform,
  request: Request & { params: { id: string } },
  reply: Reply,
  shown: { values: DeskForm; errors?: FormErrors; done?: string | undefined },
): Promise<Reply> {
  const organisation = await requireDataSharingDetails(deps.db, request.params.id);
  return deps.pages.send(request, reply, 'referrals/pages/questionnaires/templates/desk.njk', {
    organisation,
    state: deskState(await findQuestionnaireDesk(deps.db, organisation.id), deps.clock.now()),
    people: await listPossibleOwners(deps.db, organisation.id),
    choices: questionnaireCodes.map((value) => ({ value, text: questionnaires[value].title })),
    ...shown,
  });
}
