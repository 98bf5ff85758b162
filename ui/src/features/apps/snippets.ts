/** A way to send data: what to install, if anything, and the code. */
export interface Snippet {
  id: 'web' | 'node' | 'android' | 'ios' | 'flutter' | 'react-native' | 'http';
  title: string;
  install?: string;
  code: string;
}

/** Ready-to-paste code for an app on this server. */
export function snippets(url: string, key: string): Snippet[] {
  return [
    {
      id: 'web',
      title: 'Web',
      install: 'npm install countly-sdk-web',
      code: `import Countly from 'countly-sdk-web';

Countly.init({
  app_key: '${key}',
  url: '${url}',
});
Countly.track_sessions();
Countly.track_pageview();
Countly.add_event({ key: 'hello', count: 1 });`,
    },
    {
      id: 'node',
      title: 'Node.js',
      install: 'npm install countly-sdk-nodejs',
      code: `const Countly = require('countly-sdk-nodejs');

Countly.init({
  app_key: '${key}',
  url: '${url}',
});
Countly.begin_session();
Countly.add_event({ key: 'hello', count: 1 });`,
    },
    {
      id: 'android',
      title: 'Android',
      install: `// build.gradle of the app; use the newest version
implementation 'ly.count.android:sdk:25.4.1'`,
      code: `// In your Application class
class App : Application() {
  override fun onCreate() {
    super.onCreate()
    val config = CountlyConfig(this, "${key}", "${url}")
    Countly.sharedInstance().init(config)
    Countly.sharedInstance().events().recordEvent("hello")
  }
}`,
    },
    {
      id: 'ios',
      title: 'iOS',
      install: `# Podfile
pod 'Countly'`,
      code: `import Countly

let config = CountlyConfig()
config.appKey = "${key}"
config.host = "${url}"
Countly.sharedInstance().start(with: config)
Countly.sharedInstance().recordEvent("hello")`,
    },
    {
      id: 'flutter',
      title: 'Flutter',
      install: 'flutter pub add countly_flutter',
      code: `import 'package:countly_flutter/countly_flutter.dart';

final config = CountlyConfig('${url}', '${key}');
await Countly.initWithConfig(config);
await Countly.recordEvent({'key': 'hello', 'count': 1});`,
    },
    {
      id: 'react-native',
      title: 'React Native',
      install: 'npm install countly-sdk-react-native-bridge',
      code: `import Countly from 'countly-sdk-react-native-bridge';
import CountlyConfig from 'countly-sdk-react-native-bridge/CountlyConfig';

const config = new CountlyConfig('${url}', '${key}');
await Countly.initWithConfig(config);
Countly.events.recordEvent('hello');`,
    },
    {
      id: 'http',
      title: 'HTTP',
      code: `curl '${url}/i' \\
  -d 'app_key=${key}' \\
  -d 'device_id=my-device' \\
  -d 'begin_session=1' \\
  --data-urlencode 'events=[{"key":"hello","count":1}]'`,
    },
  ];
}
