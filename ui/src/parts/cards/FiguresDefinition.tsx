import type { ParseKeys } from 'i18next';
import { useTranslation } from 'react-i18next';
import { DefinitionDetail } from '../../components/Definition';
import { fromWire, readFilter } from '../../components/filter/filter';
import { wordsOf } from '../../components/filter/words';
import { usePeriodText } from '../../components/time/PeriodPicker';
import { useFormat } from '../../i18n';
import { useTime } from '../../lib/useView';
import type { App } from '../../access/apps';
import { useScopeFields } from '../filters/useScopeFields';
import { againstParam, timed } from '../figures/api';

/** What figures count, by the name under which people see it. */
const labels = {
  sessions: 'metric.sessions',
  users: 'metric.users',
  newUsers: 'metric.newUsers',
  returning: 'metric.returning',
  time: 'metric.time',
  averageTime: 'metric.averageTime',
  values: 'about.byValue',
  frequency: 'frequency.title',
  durations: 'durations.title',
  loyalty: 'loyalty.title',
  clock: 'nav.times',
  count: 'events.c',
  sum: 'events.s',
  duration: 'events.dur',
  visits: 'views.t',
  visitors: 'views.uvalue',
  bounce: 'views.br',
  crashFreeSessions: 'crashes.freeSessions',
  crashFreeUsers: 'crashes.freeUsers',
  crashes: 'crashes.fatal',
  errors: 'crashes.nonfatal',
  crashHit: 'crashes.usersHit',
  crashReports: 'crashes.reports',
} as const satisfies Record<string, ParseKeys>;
export type Term = keyof typeof labels;

export interface Explained {
  app: App;
  /** What is explained, as people call it. */
  what: string;
  terms: readonly Term[];
  /** The path of the API that answers the same, and its parameters beside the period and the filter. */
  path: string;
  params?: Readonly<Record<string, string | number | boolean | object>>;
  /** When the figures were read, in ms. */
  at?: number | undefined;
  /** The events by whose properties the page can be filtered. */
  events?: readonly string[];
  /** Whether the figures are of all time, not of the period. */
  always?: boolean;
  /** Whether the API takes what the period is compared with. */
  against?: boolean;
}

const none: readonly string[] = [];

/** What the figures of a page are: what they count, of when, what is not in them, whether they are exact, and the query as the API takes it. */
export function FiguresDefinition({ app, what, terms, path, params = {}, at, events = none, always = false, against: compares = false, onClose }: Explained & { onClose: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { period, span, before, against } = useTime(app);
  const periodName = usePeriodText()(period);
  const fields = useScopeFields(app, events);
  const group = fromWire(readFilter(app.filter ?? '') ?? {}, (path) => fields.find((f) => f.path === path)?.kind ?? 'any');
  const filter = app.filter === undefined ? '–' : group === undefined ? app.filter : wordsOf(group, fields, t, format, app.timezone);
  const { period: asked, ...rest } = timed(app, period).params;
  return (
    <DefinitionDetail
      onClose={onClose}
      what={what}
      path={path}
      params={{ ...rest, ...(always ? {} : { period: asked }), ...(compares ? againstParam(app, against) : {}), ...params }}
      fields={[
        ...terms.map((term) => [t(labels[term]), t(`about.${term}`)] as const),
        [t('about.period'), always ? t('about.always') : `${periodName} (${format.days(span.from, span.to)}), ${app.timezone}`],
        ...(before === undefined || always ? [] : [[t('about.against'), format.days(before.from, before.to)] as const]),
        [t('metric.filter'), filter],
        [t('about.excluded'), t('about.excludedText')],
        [t('about.exact'), t(app.filter === undefined ? 'about.exactText' : 'about.exactFiltered')],
        ...(at === undefined || at === 0 ? [] : [[t('about.computed'), format.moment(at, app.timezone)] as const]),
      ]}
    />
  );
}
