import { Type } from 'typebox';
import { requireCaller } from '../../../accounts/index.ts';
import { calendarDay } from '../../../platform/clock/index.ts';
import { joinDate, readFields } from '../../../platform/html/index.ts';
import { type App, anyForm, page, type Reply, type Request, signedIn } from '../../../platform/http/index.ts';
import { newId } from '../../../platform/ids/index.ts';
import type { WebPlatform } from '../../../platform/platform.ts';
import { type FieldError, Problem, requireRefusal, unprocessable } from '../../../platform/problem/index.ts';
import { measureModes, stages } from '../../model/after-acceptance/measures.ts';
import {
  type DeskState,
  deskState,
  findQuestionnaireDesk,
} from '../../model/after-acceptance/questionnaire-desks-store.ts';
import {
  notSaid,
  type QuestionnaireCode,
  questionNames,
  questionnaireCodes,
  questionnaireOf,
  readAnswers,
} from '../../model/after-acceptance/questionnaires.ts';
import type { ReferralDeps } from '../../model/deps.ts';
import { londonDate } from '../../model/due/dates.ts';
import { wrongState } from '../../model/problems.ts';
import { addMeasures } from '../../progress/add-measures.ts';
import { type FormErrors, formErrors } from '../form-errors.ts';
import { pathAfter } from '../referral/referral-page.ts';
import { readFullReferral } from '../referral/view/full-referral.ts';
import { referralView } from '../referral/view/referral-view.ts';
import { referralPagePath } from '../referral-page-address.ts';

type Deps = ReferralDeps & WebPlatform;
type FormRequest = Request & { params: { id: string; which: QuestionnaireCode } };
type Values = Record<string, string>;

const params = Type.Object({
  id: Type.String({ maxLength: 100 }),
  which: Type.Enum([...questionnaireCodes]),
});
const template = (name: string) => `referrals/pages/questionnaires/templates/${name}.njk`;

const howFields = ['form_token', 'stage', 'mode', 'taken_day', 'taken_month', 'taken_year'] as const;

/** The forms in which staff write what a person answers, or answered on paper, and the paper itself. */
export function questionnairePages(app: App, deps: Deps): void {
  const config = page(signedIn());
  const path = '/referrals/:id/questionnaires/:which';
  app.get(path, { config, schema: { hide: true, params } }, (request, reply) => show(deps, request, reply));

  app.post(path, { config, schema: { hide: true, params, body: anyForm } }, async (request, reply) => {
    const { id: referralId, which } = request.params;
    const values: Values = readFields(request.body, [...howFields, ...questionNames(which)]);
    await requireSwitchedOn(deps, request);
    const { measures, errors } = readForm(which, values, deps.clock.now());
    const refuse = (fieldErrors: readonly FieldError[]) =>
      show(deps, request, reply.code(unprocessable.status), { values, errors: explain(which, fieldErrors) });
    if (errors.length > 0) return refuse(errors);
    try {
      const { form_token: formToken } = values;
      const addition = { referralId, measures, ipAddress: request.ip, formToken };
      await addMeasures(deps, requireCaller(request), addition);
    } catch (problem) {
      requireRefusal(problem, [unprocessable]);
      return refuse((problem.errors ?? []).map((each) => ({ ...each, pointer: pointerOf(each) })));
    }
    return reply.redirect(pathAfter(request, referralId, 'questionnaire'), 303);
  });

  const querystring = Type.Object({ stage: Type.Optional(Type.Enum([...stages])) });
  app.get(
    `${path}/paper`,
    { config, schema: { hide: true, params, querystring } },
    async (request, reply) => {
      const { view, state } = await load(deps, request);
      if (!view.canWrite) return reply.redirect(referralPagePath(request.params.id), 303);
      if (state !== 'on') return show(deps, request, reply);
      return deps.pages.send(request, reply, template('paper'), {
        referral: view.referral,
        stage: request.query.stage,
        questionnaire: questionnaireOf(request.params.which),
        which: request.params.which,
      });
    },
  );
}

/** A colleague who types in a paper is there to speak with the person, also while the owner and the deputy are both on leave. */
type PaperState = Exclude<DeskState, 'away'>;

async function load(deps: Deps, request: FormRequest) {
  const full = await readFullReferral(deps, requireCaller(request), request.params.id, request.ip);
  const desk = await findQuestionnaireDesk(deps.db, full.referral.referrerOrganisationId);
  const deskNow = deskState(desk, deps.clock.now());
  const state: PaperState = deskNow === 'away' ? 'on' : deskNow;
  return { view: referralView(deps.settings, full), state, desk };
}

/** The words for why nobody may be asked. */
const whyOff: Readonly<Record<Exclude<PaperState, 'on'>, string>> = {
  off: 'Questionnaires are off for the organisation that made this referral: nobody is named who looks into worrying answers. An operator switches them on once an owner and a deputy are named.',
  understaffed:
    'Questionnaires are off for the organisation that made this referral: the owner or the deputy who looks into worrying answers has left, or cannot sign in. An operator has to name somebody else.',
};

/** @throws Problem `wrong-state` while nobody looks into worrying answers. */
async function requireSwitchedOn(deps: Deps, request: FormRequest): Promise<void> {
  const { state } = await load(deps, request);
  if (state !== 'on') throw new Problem(wrongState, whyOff[state]);
}

async function show(
  deps: Deps,
  request: FormRequest,
  reply: Reply,
  refused?: { values: Values; errors: FormErrors },
): Promise<Reply> {
  const { view, state } = await load(deps, request);
  if (!view.canWrite) return reply.redirect(referralPagePath(request.params.id), 303);
  const { which } = request.params;
  return deps.pages.send(request, reply, template('questionnaire'), {
    ...view,
    which,
    questionnaire: questionnaireOf(which),
    notSaid,
    formToken: newId(deps.clock.now().getTime()),
    whyOff: state === 'on' ? undefined : whyOff[state],
    values: refused?.values ?? {},
    errors: refused?.errors,
  });
}

type NewMeasure = Parameters<typeof addMeasures>[2]['measures'][number];

function readForm(
  which: QuestionnaireCode,
  values: Values,
  now: Date,
): { measures: NewMeasure[]; errors: FieldError[] } {
  const stage = stages.find((each) => each === values.stage);
  const mode = measureModes.find((each) => each === values.mode);
  const typed = joinDate([values.taken_year!, values.taken_month!, values.taken_day!]);
  const answers = readAnswers(which, stage ?? 'start', values);
  const errors = [
    ...(stage ? [] : [{ pointer: '/stage', message: 'Select when it is asked' }]),
    ...(mode ? [] : [{ pointer: '/mode', message: 'Select how the person answered' }]),
    ...(typed === undefined || calendarDay(typed)?.date === typed
      ? []
      : [{ pointer: '/taken_day', message: 'Enter a real date, like 24 11 2026' }]),
    ...answers.errors,
  ];
  if (errors.length > 0 || !mode) return { measures: [], errors };
  const isToday = typed === undefined || typed === londonDate(now);
  const earlierDay = isToday ? {} : { taken_at: `${typed}T12:00:00Z` };
  return {
    measures: answers.measures.map((each) => ({ ...each, ...earlierDay, by: 'person', mode })),
    errors,
  };
}

/** The field of the form that an error of the action is about. */
function pointerOf({ pointer }: FieldError): string {
  return pointer.endsWith('/taken_at') ? '/taken_day' : '/stage';
}

function explain(which: QuestionnaireCode, errors: readonly FieldError[]): FormErrors {
  const dateWords: Readonly<Record<string, string>> = {
    'in-future': 'The day must be today or in the past',
    'too-long-ago': 'The day must be at most a year ago',
  };
  return formErrors(
    ['stage', 'mode', 'taken_day', ...questionNames(which)],
    errors.map(({ pointer, message, code = '' }) => ({
      field: pointer.slice(1),
      text: dateWords[code] ?? message,
    })),
  );
}
