import type { FormProblem } from '../../../platform/html/index.ts';
import type { Service } from '../../hsds/service.ts';
import type { UsedTerm } from '../../services/store.ts';
import { termGroups } from '../../view/term-groups.ts';
import { openTimes } from '../../view/times.ts';
import { labels, statusChoices } from '../form/labels.ts';
import { type Shown, shownOf } from '../form/merge-form.ts';
import { formOf, type ServiceForm, shownSchedules } from '../form/service-form.ts';
import { days, weekOf, weekRows } from '../form/week.ts';

/** The form of a service as its template shows it: with what stands in it now, and what it leaves alone. */
export function formView(
  service: Service,
  form: ServiceForm,
  { terms, today, errors }: { terms: readonly UsedTerm[]; today: string; errors?: FormProblem | undefined },
) {
  const chosen = new Set(form.terms);
  const [first, ...otherPlaces] = service.service_at_locations ?? [];
  return {
    values: form.values,
    errors,
    labels,
    statusChoices,
    shown: inText(shownOf(formOf(service))),
    week: Object.entries(days).map(([code, name]) => ({
      name,
      keys: weekRows.filter(({ day }) => day === code).map(({ key }) => key),
    })),
    otherTimes: openTimes(weekOf(shownSchedules(service)).others, today),
    placeName: first?.location?.name,
    otherPlaces: otherPlaces.length,
    costs: (service.cost_options ?? []).length,
    termGroups: termGroups(terms).map(({ taxonomy, options }) => ({
      taxonomy,
      options: options.map((term) => ({ ...term, checked: chosen.has(term.id) })),
    })),
  };
}

function inText(shown: Shown): string {
  return new URLSearchParams(shown).toString();
}
