import { useTranslation } from 'react-i18next';
import { channels, type Dimension } from './api';

/** What a value of a dimension is called. */
export function useValueName(): (by: Dimension, id: string) => string {
  const { t } = useTranslation();
  return (by, id) => {
    const channel = channels.find((c) => c === id);
    return by === 'channel' && channel !== undefined ? t(`campaigns.channel.${channel}`) : id;
  };
}
