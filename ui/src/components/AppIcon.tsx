import { Avatar } from '@mantine/core';
import { iconOf, type App } from '../access/apps';

/** An app's picture, or the first letters of its name. */
export function Icon({ app, size = 22 }: { app: App; size?: number }) {
  return (
    <Avatar size={size} radius="sm" src={iconOf(app) ?? null} alt="" color="indigo" aria-hidden>
      {app.name.slice(0, 2).toLocaleUpperCase()}
    </Avatar>
  );
}
