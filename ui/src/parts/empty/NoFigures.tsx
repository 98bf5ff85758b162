import type { App } from '../../access/apps';
import { later } from '../../components/lazily';
import { Notice } from '../../components/States';
import { useView } from '../../lib/useView';
import { WaysOn } from './WaysOn';

const Unmatched = later(async () => (await import('./Unmatched')).Unmatched);

interface Props {
  app: App;
  title: string;
  text: string;
  /** Whether to offer nothing where the app had data at some time. */
  atFirst?: boolean;
}

/** Stands for figures that there are none of: because of the page's filter, or in the period. */
export function NoFigures({ app, title, text, atFirst = false }: Props) {
  const [view] = useView();
  return view.filter === '' ? <Notice title={title} text={text} action={<WaysOn app={app} atFirst={atFirst} />} /> : <Unmatched />;
}
