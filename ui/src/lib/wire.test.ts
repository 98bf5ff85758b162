import { expect, it } from 'vitest';
import { decodeName, decodeNamed, decodeSystem, decodeVersion } from './wire';

it.each([
  [decodeName, 'news&#46;example&#46;org', 'news.example.org'],
  [decodeName, '&#36;x', '$x'],
  [decodeVersion, '2:4:1', '2.4.1'],
  [decodeSystem, 'i17:5', 'iOS 17.5'],
  [decodeSystem, 'a14', 'Android 14'],
  [decodeSystem, '14:1', '14.1'],
  [decodeSystem, 'q7', 'q7'],
  [decodeNamed, '[Safari]_17:5', 'Safari 17.5'],
  [decodeNamed, '1:2', '1.2'],
])('%o reads %s', (decode, text, want) => expect(decode(text)).toBe(want));
