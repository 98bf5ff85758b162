/** Code, and where it goes: a file or the terminal. */
export interface Piece {
  where: string;
  code: string;
}

/** A way to send data: what to install, if anything, and the code. */
export interface Snippet {
  id: 'web-script' | 'web' | 'node' | 'android' | 'ios' | 'flutter' | 'react-native' | 'http';
  title: string;
  /** Snippets of a platform that go into the same tab: what tells this one from them. */
  way?: 'package' | 'script';
  install?: Piece;
  use: Piece;
}

const terminal = 'Terminal';

/** Where the web SDK can be had without a build; the version is the one that our tests run. */
export const webSDK = 'https://cdn.jsdelivr.net/npm/countly-sdk-web@26.1.1/lib/countly.min.js';

/** Ready-to-paste code for an app on this server. */
export function snippets(url: string, key: string): Snippet[] {
  return [
    {
      id: 'web-script',
      title: 'Web',
      way: 'script',
      use: {
        where: 'index.html',
        code: `<script src="${webSDK}"></script>
<script>
  Countly.init({
    app_key: '${key}',
    url: '${url}',
  });
  Countly.track_sessions();
  Countly.track_pageview();
  Countly.add_event({ key: 'hello', count: 1 });
</script>`,
      },
    },
    {
      id: 'web',
      title: 'Web',
      way: 'package',
      install: { where: terminal, code: 'npm install countly-sdk-web' },
      use: {
        where: 'index.js',
        code: `import Countly from 'countly-sdk-web';

Countly.init({
  app_key: '${key}',
  url: '${url}',
});
Countly.track_sessions();
Countly.track_pageview();
Countly.add_event({ key: 'hello', count: 1 });`,
      },
    },
    {
      id: 'node',
      title: 'Node.js',
      install: { where: terminal, code: 'npm install countly-sdk-nodejs' },
      use: {
        where: 'index.js',
        code: `const Countly = require('countly-sdk-nodejs');

Countly.init({
  app_key: '${key}',
  url: '${url}',
});
Countly.begin_session();
Countly.add_event({ key: 'hello', count: 1 });`,
      },
    },
    {
      id: 'android',
      title: 'Android',
      install: { where: 'app/build.gradle.kts', code: 'implementation("ly.count.android:sdk:26.1.4")' },
      use: {
        where: 'App.kt',
        code: `import android.app.Application
import ly.count.android.sdk.Countly
import ly.count.android.sdk.CountlyConfig

class App : Application() {
  override fun onCreate() {
    super.onCreate()
    val config = CountlyConfig(
      this,
      "${key}",
      "${url}",
    )
    Countly.sharedInstance().init(config)
    Countly.sharedInstance().events().recordEvent("hello")
  }
}`,
      },
    },
    {
      id: 'ios',
      title: 'iOS',
      install: { where: 'Podfile', code: "pod 'Countly'" },
      use: {
        where: 'AppDelegate.swift',
        code: `import Countly

let config = CountlyConfig()
config.appKey = "${key}"
config.host = "${url}"
Countly.sharedInstance().start(with: config)
Countly.sharedInstance().recordEvent("hello")`,
      },
    },
    {
      id: 'flutter',
      title: 'Flutter',
      install: { where: terminal, code: 'flutter pub add countly_flutter' },
      use: {
        where: 'main.dart',
        code: `import 'package:countly_flutter/countly_flutter.dart';

final config = CountlyConfig(
  '${url}',
  '${key}',
);
await Countly.initWithConfig(config);
await Countly.recordEvent({'key': 'hello', 'count': 1});`,
      },
    },
    {
      id: 'react-native',
      title: 'React Native',
      install: { where: terminal, code: 'npm install countly-sdk-react-native-bridge\ncd ios && pod install' },
      use: {
        where: 'App.js',
        code: `import Countly from 'countly-sdk-react-native-bridge';
import CountlyConfig from 'countly-sdk-react-native-bridge/CountlyConfig';

const config = new CountlyConfig(
  '${url}',
  '${key}',
);
await Countly.initWithConfig(config);
Countly.events.recordEvent('hello');`,
      },
    },
    {
      id: 'http',
      title: 'HTTP',
      use: {
        where: terminal,
        code: `curl '${url}/i' \\
  -d 'app_key=${key}' \\
  -d 'device_id=my-device' \\
  -d 'begin_session=1' \\
  --data-urlencode 'events=[{"key":"hello","count":1}]'`,
      },
    },
  ];
}
