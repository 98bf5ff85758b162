import type { Key, Palette } from './reading';

/** What can be asked of a drawn chart. */
export interface Drawing {
  /** The chart as a picture, with a heading. */
  picture: (heading: string) => Promise<Blob>;
  /** The step of a series at a place, and where a step lies, in pixels from the left; undefined before it is drawn. */
  stepAt?: (x: number) => number | undefined;
  placeOf?: (step: number) => number | undefined;
}

/** The canvas of a place as a picture, below a heading and the names of its series. */
export async function picture(place: HTMLElement | null, heading: string, keys: readonly Key[], palette: Palette): Promise<Blob> {
  const source = place?.querySelector('canvas');
  if (source == null) throw new Error('there is no chart');
  const scale = source.width / source.clientWidth;
  const head = (keys.length === 0 ? 44 : 70) * scale;
  const canvas = document.createElement('canvas');
  canvas.width = source.width;
  canvas.height = source.height + head;
  const pen = canvas.getContext('2d');
  if (pen === null) throw new Error('the browser draws nothing');
  pen.fillStyle = palette.card;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.fillStyle = palette.text;
  pen.font = `600 ${15 * scale}px system-ui, sans-serif`;
  pen.fillText(heading, 14 * scale, 27 * scale, canvas.width - 28 * scale);
  pen.font = `${13 * scale}px system-ui, sans-serif`;
  let x = 14 * scale;
  for (const { name, color } of keys) {
    pen.fillStyle = color;
    pen.fillRect(x, 46 * scale, 14 * scale, 5 * scale);
    pen.fillStyle = palette.text;
    pen.fillText(name, x + 20 * scale, 53 * scale);
    x += 40 * scale + pen.measureText(name).width;
  }
  pen.drawImage(source, 0, head);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob === null ? reject(new Error('the browser makes no picture')) : resolve(blob)), 'image/png');
  });
}
