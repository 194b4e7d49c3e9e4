import {
  type ComparedFacts,
  compareView,
  findServiceDocument,
  type ListedService,
  listOpenToReferrals,
  listSensitiveServices,
  locatePlace,
  readPostcodeText,
  referralFormPath,
} from '../../library/index.ts';
import { localTime } from '../../platform/clock/index.ts';
import type { App } from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import {
  type FindForm,
  type FormPath,
  findPath,
  formFields,
  readForm,
  reroutePathFrom,
} from './find-form.ts';
import { libraryPageConfig } from './library-page-config.ts';
import { comparePathname, readReroutes } from './opened-from.ts';

/** In the address of the results to which {@link comparePage} sends people back who ticked nothing. */
export const nothingTicked = 'nothing_ticked';

/** As many as fit beside each other on a sheet of paper. */
export const maxCompared = 4;

/** Services side by side. Open to everyone if the library is public. */
export function comparePage(app: App, deps: WebPlatform): void {
  const config = libraryPageConfig(deps.settings);
  app.get(comparePathname, { config, schema: { hide: true } }, async (request, reply) => {
    const query = request.query as Record<string, unknown>;
    const form = readForm(query);
    const reroutes = readReroutes(query.reroutes);
    const searchPath = reroutes === undefined ? findPath : reroutePathFrom(reroutes);
    const ids = form.ticked.slice(0, maxCompared);
    const place = await locatePlace(deps.db, form.postcode);
    const documents = await Promise.all(ids.map((id) => findServiceDocument(deps.db, id, place)));
    const services = documents.flatMap((document) =>
      document === undefined ? [] : [JSON.parse(document) as ListedService],
    );
    if (services.length === 0) return reply.redirect(pathToTick(form, searchPath), 303);
    const [open, sensitive] = await Promise.all([
      listOpenToReferrals(deps.db, services, deps.settings.mode),
      listSensitiveServices(deps.db),
    ]);
    const viewpoint = {
      now: localTime(deps.clock.now()),
      place,
      postcode: readPostcodeText(form.postcode),
    };
    const withoutService = (id: string) =>
      comparePath(
        { ...form, ticked: services.map((each) => each.id).filter((each) => each !== id) },
        reroutes,
      );
    const compared = services.map((service) => compareView(service, viewpoint));
    return deps.pages.sendCompressed(request, reply, 'search/templates/compare.njk', {
      ...sortQuestions(compared.map(({ facts }) => facts)),
      services: compared.map((service) => ({
        ...service,
        referralFormPath: referralFormPath(
          service.id,
          reroutes === undefined ? { postcode: form.postcode, age: form.age } : { reroutes },
        ),
        open: open.has(service.id),
        isSensitive: sensitive.includes(service.id),
        removePath: services.length > 1 ? withoutService(service.id) : undefined,
      })),
      searched: place,
      tooMany: form.ticked.length > maxCompared,
      backPath: searchPath(form, form.page),
      now: deps.clock.now(),
    });
  });
}

/** Of each question whether the services differ in it, since only that helps to choose. */
function sortQuestions(facts: readonly ComparedFacts[]) {
  const questions = Object.keys(facts[0]!) as (keyof ComparedFacts)[];
  const answersTo = (question: keyof ComparedFacts) =>
    new Set(facts.map((each) => JSON.stringify(each[question])));
  const unknown = questions.filter((question) => facts.every((each) => each[question] === undefined));
  const same = questions.filter(
    (question) => facts.length > 1 && !unknown.includes(question) && answersTo(question).size === 1,
  );
  return {
    unknown,
    same,
    different: questions.filter((question) => !unknown.includes(question) && !same.includes(question)),
  };
}

function comparePath(form: FindForm, reroutes: string | undefined): string {
  const kept: [string, string][] = reroutes === undefined ? [] : [['reroutes', reroutes]];
  return `${comparePathname}?${new URLSearchParams([...formFields(form), ...kept])}`;
}

/** The same results, with the request to tick some. */
function pathToTick(form: FindForm, searchPath: FormPath): string {
  const path = searchPath({ ...form, ticked: [] }, form.page);
  return `${path}${path.includes('?') ? '&' : '?'}${nothingTicked}=yes#results`;
}
