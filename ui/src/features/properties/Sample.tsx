import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import './properties.css';

/** What the list looks like, for those whose app has sent no property yet. */
export function Sample() {
  const { t } = useTranslation();
  return (
    <div className="pad property-sample" aria-hidden inert>
      <strong>{t('properties.property')}</strong>
      <strong>{t('properties.where')}</strong>
      <strong>{t('properties.type')}</strong>
      {(['price', 'plan', 'language'] as const).map((name, i) => (
        <Fragment key={name}>
          <span>{t(`properties.sample.${name}`)}</span>
          <span>{t(i === 0 ? 'properties.sample.event' : i === 1 ? 'properties.of.custom' : 'properties.of.user')}</span>
          <span>{t(i === 0 ? 'properties.kind.number' : 'properties.kind.text')}</span>
        </Fragment>
      ))}
    </div>
  );
}
