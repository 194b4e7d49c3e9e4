import { describe, expect, it } from 'vitest';
import { crisisIn, mentionsCrisis } from './crisis.ts';

/** What people say of suicide, an overdose, self-harm, abuse and violence, and what they say on other days. */
const sentences: Readonly<Record<string, { heard: string; ordinary: string }>> = {
  'Chinese, simplified': {
    heard: `她说想自杀。|我不想活了|他昨晚吞了安眠药|服药过量被送到医院|她经常割腕|我丈夫打我|老公打她，她不敢回家
      他说要杀了我|她小时候被性侵|孩子被父亲毒打|她有轻生的念头|我觉得活不下去了|爸爸打我|她遭受家暴|他伤害自己`,
    ordinary: `她想参加年轻生活小组|他喜欢打太极拳|请打我电话|打她的手机，下午三点后|她自己住，想认识新朋友|他会打她电话
      他在家里很孤独|她需要学英语|思想死板的人|我老公打我手机找我|他想活得更健康|她被打断了|被打扰了休息|她的药已经吃完了
      他不想活动|来自上海`,
  },
  'Chinese, traditional': {
    heard: `她說想自殺。|我不想活了|他昨晚吞了安眠藥|服藥過量被送到醫院|她常常割腕|我先生打我|老公打她，她不敢回家
      他說要殺了我|她小時候被性侵|孩子被父親毒打|她有輕生的念頭|結束自己的生命|他威脅要殺她|她長期被虐待`,
    ordinary: `她想參加年輕生活小組|他喜歡打太極拳|請打我電話|打她的手機，下午三點後|她自己住，想認識新朋友
      他在家裡很孤獨|她需要學英語|她的先生去年過世|他想學畫畫|她照顧她的母親`,
  },
  Japanese: {
    heard: `死にたいと言っています|自殺を考えている|薬を大量に飲んだ|リストカットをしている|夫に殴られた|消えてしまいたい
      生きていたくない|性的暴行を受けた|子どもが虐待されている|「殺す」と脅された、殺すと言われた|飛び降りたい`,
    ordinary: `一人で暮らしています|英語を習いたい|友達を作りたい|夫は去年亡くなりました|薬は毎朝飲んでいます|膝が痛い
      散歩に行きたい|生活が苦しい|食料支援が必要です|母の介護をしている`,
  },
  Thai: {
    heard: `เธออยากตาย|เขาคิดฆ่าตัวตาย|เธอกินยาเกินขนาด|ถูกข่มขืน|สามีทำร้ายเธอ|เขาทำร้ายตัวเอง|เขาขู่ฆ่าฉัน`,
    ordinary: `เธออยู่คนเดียว|อยากเรียนภาษาอังกฤษ|สามีเสียชีวิตปีที่แล้ว|ต้องการความช่วยเหลือเรื่องเงิน`,
  },
  Korean: {
    heard: `죽고 싶다고 합니다|자살을 생각해요|자해했어요|남편이 때려요|성폭행을 당했어요|살고 싶지 않아요`,
    ordinary: `혼자 살아요|여자 살림|영어를 배우고 싶어요|남편이 작년에 돌아가셨어요|과자 살 돈이 없어요`,
  },
  Arabic: {
    heard: `أريد أن أموت|وأريد أن أموت الآن|تفكر في الانتحار|حاول أن ينتحر|أخذت جرعة زائدة|زوجي يضربني|هي خائفة من زوجها
      تم اغتصابها، الاغتصاب|يهددني بالقتل|لا تريد أن تعيش|تؤذي نفسها|أخاف مِنْ زَوْجِي|فكّر بالانتحار`,
    ordinary: `أريد أن أتعلم الإنجليزية|تعيش وحدها|زوجها توفي العام الماضي|يريد أن يتعرف على أصدقاء|عنده ألم في الركبة|أخذت الدواء
      تحتاج مساعدة في الإيجار|والدته مريضة|يضرب مثلا|لا أريد أن أتأخر|كل الحبوبات`,
  },
  Urdu: {
    heard: `میں مرنا چاہتی ہوں|وہ خودکشی کا سوچ رہا ہے|اس نے ساری گولیاں کھا لیں|اس نے زہر کھایا|شوہر مجھے مارتا ہے
      اسے شوہر سے ڈر لگتا ہے|جان سے مارنے کی دھمکی|جنسی زیادتی ہوئی|وہ جینا نہیں چاہتا|خود کو نقصان پہنچاتی ہے
      وہ بچوں کو مارتا ہے|mujhe maarta hai|zindagi khatam karna`,
    ordinary: `وہ اکیلی رہتی ہے|وہ انگریزی سیکھنا چاہتی ہے|شوہر کا پچھلے سال انتقال ہوا|گھٹنے میں درد ہے|کرایہ دینا مشکل ہے
      وہ روز گولیاں کھاتا ہے|ماں کی دیکھ بھال کرتا ہے|وہ دوست بنانا چاہتا ہے|وہ باغبانی پسند کرتا ہے|کھانے کی مدد چاہیے`,
  },
  Punjabi: {
    heard: `ਮੈਂ ਮਰਨਾ ਚਾਹੁੰਦੀ ਹਾਂ|ਉਹ ਖੁਦਕੁਸ਼ੀ ਬਾਰੇ ਸੋਚਦਾ ਹੈ|ਉਸਨੇ ਸਾਰੀਆਂ ਗੋਲੀਆਂ ਖਾ ਲਈਆਂ|ਪਤੀ ਮੈਨੂੰ ਮਾਰਦਾ ਹੈ|ਉਹ ਮੈਨੂੰ ਕੁੱਟਦਾ ਹੈ
      ਮੈਨੂੰ ਪਤੀ ਤੋਂ ਡਰ ਲੱਗਦਾ ਹੈ|ਉਸ ਨਾਲ ਬਲਾਤਕਾਰ ਹੋਇਆ|ਜਾਨੋਂ ਮਾਰਨ ਦੀ ਧਮਕੀ|ਆਪਣੇ ਆਪ ਨੂੰ ਨੁਕਸਾਨ|ਉਹ ਜੀਣਾ ਨਹੀਂ ਚਾਹੁੰਦਾ|ਜ਼ਹਿਰ ਖਾ ਲਿਆ`,
    ordinary: `ਉਹ ਇਕੱਲੀ ਰਹਿੰਦੀ ਹੈ|ਉਹ ਅੰਗਰੇਜ਼ੀ ਸਿੱਖਣਾ ਚਾਹੁੰਦੀ ਹੈ|ਗੋਡੇ ਵਿੱਚ ਦਰਦ ਹੈ|ਪਤੀ ਦੀ ਪਿਛਲੇ ਸਾਲ ਮੌਤ ਹੋ ਗਈ|ਕਿਰਾਇਆ ਦੇਣਾ ਔਖਾ ਹੈ
      ਉਹ ਦੋਸਤ ਬਣਾਉਣਾ ਚਾਹੁੰਦਾ ਹੈ|ਉਹ ਰੋਜ਼ ਦਵਾਈ ਖਾਂਦਾ ਹੈ|ਮਾਂ ਦੀ ਦੇਖਭਾਲ ਕਰਦਾ ਹੈ|ਉਸਨੂੰ ਬਾਗਬਾਨੀ ਪਸੰਦ ਹੈ|ਖਾਣੇ ਦੀ ਮਦਦ ਚਾਹੀਦੀ ਹੈ`,
  },
  Bengali: {
    heard: `আমি মরতে চাই|সে আত্মহত্যার কথা ভাবছে|সে বাঁচতে চায় না|সব ওষুধ খেয়ে ফেলেছে|সে বিষ খেয়েছে|স্বামী আমাকে মারে|তাকে মারধর করে
      তাকে ধর্ষণ করা হয়েছে|মেরে ফেলার হুমকি|নিজেকে আঘাত করে|স্বামীকে ভয় পায়|নিজের হাত কাটে`,
    ordinary: `সে একা থাকে|সে ইংরেজি শিখতে চায়|হাঁটুতে ব্যথা|স্বামী গত বছর মারা গেছেন|ভাড়া দিতে কষ্ট হয়|সে বন্ধু চায়|প্রতিদিন ওষুধ খায়
      মায়ের যত্ন নেয়|বাগান করতে ভালোবাসে|খাবারের সাহায্য দরকার`,
  },
  Hindi: {
    heard: `मैं मरना चाहता हूं|आत्महत्या के विचार|वह जीना नहीं चाहती|जहर खा लिया|पति मारता है|खुदकुशी की कोशिश|ज़हर खाया|बलात्कार हुआ`,
    ordinary: `वह अकेली रहती है|घुटने में दर्द|अंग्रेजी सीखना चाहता है|दवा रोज खाता है`,
  },
  Polish: {
    heard: `Chcę umrzeć|Ona nie chce żyć|Myśli samobójcze|próba samobójcza w maju|On chce się zabić|przedawkowała leki|Mąż mnie bije
      Boi się męża|Została zgwałcona|okalecza się|partner groził, że ją zabije|nałykała się tabletek|Chciałabym umrzeć`,
    ordinary: `Mieszka sama|Chce nauczyć się angielskiego|Mąż zmarł w zeszłym roku|Boli go kolano|gwałtowny wzrost ciśnienia
      Bierze tabletki na serce|Nie chce żyćka|Lubi ogród|Potrzebuje pomocy z czynszem|serce bije szybko|Boi się psów`,
  },
  Romanian: {
    heard: `Vreau să mor|Nu mai vrea să trăiască|Se gândește la sinucidere|a încercat să se sinucidă|Soțul mă bate|M-a violat
      A luat toate pastilele|supradoză de medicamente|Îi este frică de soțul ei|A amenințat că o omoară|se taie pe mâini|M-a bătut aseară`,
    ordinary: `Locuiește singură|Vrea să învețe engleza|Soțul a murit anul trecut|O doare genunchiul|flori violete|cântă la vioară
      mă bate gândul să învăț|ia pastile pentru inimă|Are nevoie de ajutor cu chiria|Îi e frică de câini`,
  },
  Ukrainian: {
    heard: `Я не хочу жити|Вона хоче померти|думки про самогубство|спроба суїциду|передозування таблетками|Чоловік мене б'є
      Вона боїться чоловіка|її зґвалтували|він погрожує її вбити|ріже себе|хоче накласти на себе руки|він б’є дітей`,
    ordinary: `Живе сама|Хоче вивчити англійську|Чоловік помер торік|Болить коліно|Приймає таблетки від тиску|Любить город
      Потрібна допомога з орендою|Боїться собак|Шукає друзів|Доглядає за матір'ю`,
  },
  Welsh: {
    heard: `Mae hi eisiau marw|Dydy e ddim eisiau byw|meddwl am hunanladdiad|mae hi wedi cymryd gorddos|wedi cymryd orddos
      cafodd ei threisio|mae hi'n niweidio ei hun|mae ofn ei gŵr arni, ofn ei gŵr|lladd ei hunan|cael ei cham-drin|trais rhywiol
      mae'n dioddef trais`,
    ordinary: `Mae hi'n byw ar ei phen ei hun|eisiau dysgu Saesneg|bu farw ei gŵr y llynedd|poen yn ei ben-glin|hoffi garddio
      angen help gyda'r rhent|cymryd tabledi at y galon|ofn cŵn|chwilio am ffrindiau|gofalu am ei fam`,
  },
};

const listOf = (lines: string) =>
  lines
    .split(/[|\n]/)
    .map((each) => each.trim())
    .filter((each) => each !== '');

describe('words of crisis in other languages', () => {
  it.each(Object.entries(sentences))('are noticed in %s', (_language, { heard }) => {
    const missed = listOf(heard).filter((each) => !mentionsCrisis(each));
    expect(missed).toEqual([]);
  });

  it.each(Object.entries(sentences))('are not seen in ordinary %s', (_language, { ordinary }) => {
    const seen = listOf(ordinary).filter((each) => mentionsCrisis(each));
    expect(seen).toEqual([]);
  });

  it('come with their sentence where no spaces are written', () => {
    const [found, ...more] = crisisIn('她住在伦敦。她昨天说想自杀，有计划。她有一个女儿。');
    expect(more).toEqual([]);
    expect(found).toMatchObject({ words: '她昨天说想自杀，有计划。她有一个女儿。', goesOn: true });
    const long = crisisIn(`${'她很孤独'.repeat(200)}想自杀${'她很孤独'.repeat(200)}`)[0]!;
    expect(long.words.length).toBeLessThanOrEqual(202);
    expect(long.words).toContain('想自杀');
  });

  it('are found beside English', () => {
    expect(mentionsCrisis('She said 想死 twice')).toBe(true);
    expect(mentionsCrisis('ＯＫ，她要跳楼')).toBe(true);
  });
});
