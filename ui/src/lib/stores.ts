/** Where apps are installed from, by the name that devices tell. */
const stores: Record<string, string> = {
  'com.android.vending': 'Google Play',
  'com.google.android.feedback': 'Google Play',
  'com.apple.AppStore': 'App Store',
  'com.apple.TestFlight': 'TestFlight',
  'com.amazon.venezia': 'Amazon Appstore',
  'com.sec.android.app.samsungapps': 'Galaxy Store',
  'com.huawei.appmarket': 'Huawei AppGallery',
  'com.hihonor.appmarket': 'HONOR App Market',
  'com.xiaomi.mipicks': 'Xiaomi GetApps',
  'com.xiaomi.market': 'Xiaomi GetApps',
  'com.oppo.market': 'OPPO App Market',
  'com.heytap.market': 'OPPO App Market',
  'com.bbk.appstore': 'vivo App Store',
  'com.vivo.appstore': 'vivo App Store',
  'com.tencent.android.qqdownloader': 'Tencent MyApp',
  'com.baidu.appsearch': 'Baidu Mobile Assistant',
  'com.qihoo.appstore': '360 Mobile Assistant',
  'com.wandoujia.phoenix2': 'Wandoujia',
  'com.lenovo.leos.appstore': 'Lenovo App Store',
  'com.meizu.mstore': 'Meizu App Store',
  'com.microsoft.store': 'Microsoft Store',
  'com.skt.skaf.A000Z00040': 'ONE Store',
  'ru.vk.store': 'RuStore',
  'org.fdroid.fdroid': 'F-Droid',
  'com.aurora.store': 'Aurora Store',
  'cm.aptoide.pt': 'Aptoide',
  'com.uptodown': 'Uptodown',
  'com.apkpure.aegon': 'APKPure',
  'com.android.packageinstaller': 'APK file',
  'com.google.android.packageinstaller': 'APK file',
  'com.android.shell': 'adb',
};

/** The name of the store that a source names; other sources keep theirs. */
export function nameOfStore(source: string): string {
  return Object.hasOwn(stores, source) ? (stores[source] ?? source) : source;
}
